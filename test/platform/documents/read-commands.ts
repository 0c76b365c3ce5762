import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../../server/config/paths.js'

/** A block of commands in a document, and the output in the block below it; null if there is none. */
export interface Step {
  readonly heading: string
  readonly commands: string
  readonly output: string | null
}

/** The blocks of a Markdown file, in order, from the given heading to the next of its level or to the end. */
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

/** A pattern for the output in a block, where `…` matches anything. Answers have no final line break; the block shows one. */
export function outputPattern(output: string): RegExp {
  const escaped = output.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^\\s*${escaped.replaceAll('…', '[^]*?').replaceAll('\n', '\\s*')}\\s*$`)
}
