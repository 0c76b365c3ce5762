/** A metric as `/metrics` writes it. */
export interface Shown {
  type: string
  help: string
  labels: Set<string>
}

/** The metrics in the text of a scrape, by name; a histogram's series count to it. */
export function shownIn(text: string): Map<string, Shown> {
  const shown = new Map<string, Shown>()
  const of = (name: string) => {
    const known = shown.get(name) ?? { type: '', help: '', labels: new Set() }
    shown.set(name, known)
    return known
  }
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (kind === 'HELP') of(name).help = rest
    else if (kind === 'TYPE') of(name).type = rest
    const [, series = '', labels = ''] = /^(\w[\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (series === '') continue
    const family = shown.has(series) ? series : series.replace(/_(?:bucket|sum|count)$/, '')
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) of(family).labels.add(label)
  }
  return shown
}
