/** Begins the sentence that `read` throws with the option whose value is wrong: `--at: expected a time such as …`. */
export function nameOption<T>(option: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${option}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`, { cause: error });
  }
}
