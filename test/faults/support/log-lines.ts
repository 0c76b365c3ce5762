import type { ChildProcess } from 'node:child_process'

/** A line of a server's log. */
interface LogLine {
  readonly level: number
  readonly pid: number
  readonly msg: string
  readonly [field: string]: unknown
}

/** The later log lines of a server: the array grows. */
export function readLog({ stderr }: ChildProcess): readonly LogLine[] {
  const lines: LogLine[] = []
  let rest = ''
  stderr?.on('data', (chunk: Buffer) => {
    const texts = (rest + chunk).split('\n')
    rest = texts.pop() ?? ''
    for (const text of texts) if (text.startsWith('{')) lines.push(JSON.parse(text))
  })
  return lines
}
