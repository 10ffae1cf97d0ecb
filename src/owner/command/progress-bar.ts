/** A bar on the terminal, or nothing where the output is read by a program. */
export type ProgressBar = { show: (done: number, total: number) => void; end: () => void };

/** @param output usually `process.stderr`, so that what is written to stdout stays clean */
export function progressBar(label: string, output: NodeJS.WriteStream): ProgressBar {
  if (!output.isTTY) return { show: () => undefined, end: () => undefined };
  return {
    show: (done, total) => {
      const share = total === 0 ? 1 : done / total;
      const filled = Math.round(share * WIDTH);
      output.write(`\r${label} [${'='.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${Math.floor(share * 100)}%`);
    },
    end: () => output.write('\r\u001B[K'),
  };
}

const WIDTH = 30;
