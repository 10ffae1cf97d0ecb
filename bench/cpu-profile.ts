/** What V8's profiler writes: the calls seen, and which of them each sample was in. */
export type Profile = {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  samples: number[];
  timeDeltas: number[];
};

/** The share of the busy time that was spent in each part of the server itself, most first. */
export function timeByPart({ nodes, samples, timeDeltas }: Profile): [string, number][] {
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const part = parts.get(id);
    if (part !== undefined) times.set(part, (times.get(part) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times].map(([part, time]): [string, number] => [part, time / total]).toSorted((a, b) => b[1] - a[1]);
}

function partOf({ functionName, url }: Profile['nodes'][number]['callFrame']): string | undefined {
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === 'writeLatin1String' || functionName === 'writev') return 'writing to the socket';
  if (url === '') return 'the engine, the HTTP parser and the kernel';
  if (/^node:(_http|internal\/http)/.test(url)) return "Node's HTTP";
  if (/^node:(net|internal\/(stream|streams))/.test(url)) return "Node's sockets and streams";
  if (/^node:.*timers/.test(url)) return "Node's timers";
  return url.startsWith('node:') ? "Node's other parts" : "the site's own code";
}
