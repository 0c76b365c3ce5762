import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../server/paths.js'

/** A box of commands in a document, and what the box below it says they print; null where none is there. */
export interface Step {
  readonly heading: string
  readonly commands: string
  readonly output: string | null
}

/** The boxes of a Markdown file, in order, from the given heading on up to the next of its rank or to the end. */
export function readSteps(file: string, from?: string): Step[] {
  const text = readFileSync(join(projectRoot, file), 'utf8')
  const start = from ? text.indexOf(`\n## ${from}\n`) : 0
  if (start < 0) throw new Error(`${file} has no heading ${from}`)
  const end = from ? text.indexOf('\n## ', start + 1) : -1
  const part = text.slice(start, end < 0 ? undefined : end)
  const steps: Step[] = []
  let heading = ''
  for (const [, title, language, body = ''] of part.matchAll(/^\*\*(E\d+\..*?)\*\*|^```(\w*)\n(.*?)^```$/gms)) {
    if (title !== undefined) heading = title
    else if (language === 'sh') steps.push({ heading, commands: body, output: null })
    else if (language === '' && steps.length > 0) {
      const step = steps.pop() as Step
      steps.push({ ...step, output: body })
    }
  }
  return steps
}

/** What a box of output allows: `…` stands for anything. Answers end without a line end, the box shows each on its line. */
export function outputPattern(output: string): RegExp {
  const escaped = output.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^\\s*${escaped.replaceAll('…', '[^]*?').replaceAll('\n', '\\s*')}\\s*$`)
}
