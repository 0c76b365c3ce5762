/** The parts of a text that are code, as pairs of their beginning and their end, ascending. */
export function codeIn(text: string): (readonly [number, number])[] {
  const code: (readonly [number, number])[] = []
  // Quotes and spoilers hold Markdown, so fences are inside of others.
  const open: { readonly mark: string; readonly isCode: boolean }[] = []
  let plainFrom = 0
  let at = 0
  for (const line of text.split('\n')) {
    const [, mark = '', info = ''] = fence.exec(line) ?? []
    const inner = open.at(-1)
    const end = at + line.length
    if (inner && mark === inner.mark && info === '') {
      if (inner.isCode) code.push([plainFrom, end])
      else code.push(...spansIn(text, plainFrom, at))
      open.pop()
      plainFrom = end
    } else if (mark !== '' && !inner?.isCode) {
      code.push(...spansIn(text, plainFrom, at))
      open.push({ mark, isCode: !/^(?:quote|spoiler)\b/.test(info) })
      plainFrom = at
    }
    at = end + 1
  }
  // A fence that is never closed goes to the end.
  if (open.at(-1)?.isCode) code.push([plainFrom, text.length])
  else code.push(...spansIn(text, plainFrom, text.length))
  return code
}

const fence = /^[ >]{0,20}(`{3,}|~{3,})[ \t]*([^`]{0,200})$/

/** Code between equal runs of backticks. */
function spansIn(text: string, from: number, to: number): (readonly [number, number])[] {
  const runs = [...text.slice(from, to).matchAll(/`+/g)].map(run => ({ at: from + run.index, length: run[0].length }))
  const last = new Map(runs.map(({ at, length }) => [length, at]))
  const spans: (readonly [number, number])[] = []
  for (let i = 0; i < runs.length; i++) {
    const { at, length } = runs[i] as { at: number; length: number }
    // Each length is looked for in vain once.
    if ((last.get(length) ?? at) <= at) continue
    let end = i + 1
    while (runs[end]?.length !== length) end++
    spans.push([at, (runs[end]?.at ?? at) + length])
    i = end
  }
  return spans
}
