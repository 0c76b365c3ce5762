import type { ChildProcess } from 'node:child_process'

/** A line of the log. */
export interface Line {
  readonly level: number
  readonly msg: string
  readonly requestId?: string
  readonly [field: string]: unknown
}

/** The standard error of a server. */
export class Heard {
  text = ''

  constructor({ stderr }: ChildProcess) {
    stderr?.on('data', (chunk: Buffer) => {
      this.text += chunk
    })
  }

  get lines(): Line[] {
    return this.text.split('\n').flatMap(line => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line)] : []))
  }

  /** The first line that satisfies the predicate, past or future. */
  async line(passes: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const found = this.lines.find(passes)
      if (found) return found
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}
