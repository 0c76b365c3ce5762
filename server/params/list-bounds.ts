import { z } from 'zod'
import type { ListBounds } from '../text/bounded-json.js'

/** The part of a JSON Schema that says how lists nest. */
interface Shape {
  readonly type?: unknown
  readonly maxItems?: number
  readonly items?: Shape
  readonly prefixItems?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: Shape
  readonly anyOf?: readonly Shape[]
}

/** How long the lists of a parameter may be; of several lists at one depth, the longest. */
export function listBounds(schema: z.ZodType): ListBounds {
  const bounds: number[] = []
  collect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape, 0, bounds)
  return bounds
}

function collect(shape: Shape, depth: number, bounds: number[]): void {
  const { maxItems, items, prefixItems = [], properties = {}, additionalProperties, anyOf = [] } = shape
  if (shape.type === 'array') {
    const most = maxItems ?? (items ? Number.POSITIVE_INFINITY : prefixItems.length)
    bounds[depth] = Math.max(bounds[depth] ?? 0, most)
  }
  for (const option of anyOf) collect(option, depth, bounds)
  const inner = [items, additionalProperties, ...prefixItems, ...Object.values(properties)]
  for (const one of inner) if (typeof one === 'object') collect(one, depth + 1, bounds)
}
