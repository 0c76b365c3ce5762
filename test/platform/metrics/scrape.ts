/** The answer of `/metrics`: values by series name with labels as written. */
export class Scrape {
  private readonly values = new Map<string, number>()

  constructor(readonly text: string) {
    for (const line of text.split('\n')) {
      if (line === '' || line.startsWith('#')) continue
      const space = line.lastIndexOf(' ')
      const series = line.slice(0, space)
      if (this.values.has(series)) throw new Error(`${series} is told twice`)
      this.values.set(series, Number(line.slice(space + 1)))
    }
  }

  get(series: string): number | undefined {
    return this.values.get(series)
  }

  /** Sum over all series of that name. */
  sum(name: string): number {
    let sum = 0
    for (const [series, value] of this.values) if (series === name || series.startsWith(`${name}{`)) sum += value
    return sum
  }

  /** Numbers of the workers with separate figures. */
  get workers(): string[] {
    const found = [...this.values.keys()].flatMap(
      series => /^parley_worker_queues\{worker="(\d+)"\}/.exec(series)?.[1] ?? [],
    )
    return found.sort()
  }
}

export const token = 'a-token-of-the-tests'
export const withToken = { METRICS_TOKEN: token }

/** @throws if the server does not answer with metrics. */
export async function scrape(url: string): Promise<Scrape> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}: ${await answer.text()}`)
  return new Scrape(await answer.text())
}
