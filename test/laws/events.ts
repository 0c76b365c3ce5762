import { basename } from 'node:path'
import type { EventDef } from '../../shared/events/event.js'

interface EventFile {
  readonly path: string
  readonly defs: readonly EventDef[]
}

export const isEventDef = (value: unknown): value is EventDef =>
  typeof value === 'object' && value !== null && 'render' in value && 'dependsOn' in value && 'name' in value

/** One sentence for each file or event type that breaks a law. */
export function brokenEvents(files: readonly EventFile[], listed: ReadonlyMap<string, EventDef>): string[] {
  const owners = new Map<string, string>()
  return files.flatMap(({ path, defs }) => {
    const file = basename(path, '.ts')
    return defs.flatMap(def => {
      const owner = owners.get(def.name)
      owners.set(def.name, path)
      return [
        ...(owner ? [`${path}: ${def.name} is defined in ${owner}, too`] : []),
        ...(listed.get(def.name) === def ? [] : [`${path}: ${def.name} is not listed in shared/events/index.ts`]),
        ...(fileNames(def).includes(file) ? [] : [`${path} defines ${def.name}: its file is ${fileNames(def)[0]}.ts`]),
        ...(def.doc.trim() ? [] : [`${path}: ${def.name} has no doc`]),
      ]
    })
  })
}

/** Either one file for a type with all its ops, or one per op. */
function fileNames({ type, op }: EventDef): string[] {
  // Types of events for workers only start with an underscore.
  const name = type.replace(/^_/, '').replaceAll('_', '-')
  return op === undefined ? [name] : [name, `${name}-${op.replaceAll('_', '-')}`]
}
