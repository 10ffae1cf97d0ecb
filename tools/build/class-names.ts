import { relative } from 'node:path';

/**
 * Checks for collisions: class names are so short that two modules share one once in some hundred builds.
 * @returns a function that Vite calls with each module's names and their short ones
 * @throws {Error} if two modules share a short name
 */
export function refuseSharedNames(): (file: string, names: Record<string, string>) => void {
  const owners = new Map<string, string>();
  return (file, names) => {
    for (const [name, short] of Object.entries(names)) {
      const owner = owners.get(short) ?? file;
      if (owner !== file) {
        const [first, second] = [owner, file].map((each) => relative(process.cwd(), each));
        throw new Error(`Rename .${name} in ${second}: its short name, ${short}, is one of ${first} already`);
      }
      owners.set(short, file);
    }
  };
}
