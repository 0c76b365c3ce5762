import { z } from 'zod'

// Increases when older servers cannot read the new format.
const version = 1

/** The first line of an export. */
export const headerLine = z.strictObject({
  line: z.literal('header'),
  format: z.literal('parley-export'),
  version: z.literal(version),
  exported: z.iso.datetime(),
  organization: z.uuid(),
  with_secrets: z.boolean(),
})

/** The last line; an export without it is truncated. */
export const endLine = z.strictObject({ line: z.literal('end'), lines: z.record(z.string(), z.int().min(0)) })

export function headerOf(organization: string, withSecrets: boolean): string {
  return JSON.stringify({
    line: 'header',
    format: 'parley-export',
    version,
    exported: new Date().toISOString(),
    organization,
    with_secrets: withSecrets,
  } satisfies z.infer<typeof headerLine>)
}

export const endOf = (lines: Readonly<Record<string, number>>): string =>
  JSON.stringify({ line: 'end', lines: { ...lines } } satisfies z.infer<typeof endLine>)
