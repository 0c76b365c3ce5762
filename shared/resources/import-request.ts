import { z } from 'zod'

const counts = z.record(z.string(), z.int())

/** An archive of another chat server that an administrator has uploaded. Times are UNIX seconds. */
export const importRequest = z.object({
  id: z.int(),
  acting_user_id: z.int().describe('Who uploaded it.'),
  requested: z.int().describe('When the check was requested.'),
  ended: z.int().nullable().describe('When the import finished or was undone, or when the check or the import failed.'),
  name: z.string().describe('Of the file.'),
  size: z.int().describe('In bytes.'),
  state: z
    .enum(['checking', 'ready', 'running', 'finished', 'failed', 'undoing', 'undone'])
    .describe(
      '`ready`: the check has ended, and the import can start. `failed`: the check, the import or its undoing.',
    ),
  reason: z.string().nullable().describe('Why it failed, in English; empty for a failure of the server.'),
  source: z.string().nullable().describe('The name of the other server; null before the check has ended.'),
  percent: z.int().nullable().describe('How much is imported; null while it is not running.'),
})

/** What the check has found in an archive. */
export const importPlan = z.object({
  source: z.string(),
  people: z.object({
    people: z.int(),
    bots: z.int(),
    deactivated: z.int(),
    guests: z.int(),
    here: z.int().describe('With an account here, by their address.'),
    without_address: z.array(z.string()).describe('Names of those who could not sign in, at most 1000.'),
    unlisted: z.int().describe('Senders that no list of the archive contains.'),
  }),
  channels: z.object({
    public: z.int(),
    private: z.int(),
    archived: z.int(),
    renamed: z.array(z.string()).describe('Names that cannot stay as they are, with the reason, at most 1000.'),
  }),
  conversations: z.int(),
  custom_emoji: z.int(),
  messages: z.object({
    source: z.int().describe('The sum of `kept`, `dropped` and `faulty`.'),
    kept: z.int(),
    dropped: counts.describe('By the reason.'),
    faulty: z.int(),
    replies: z.int(),
    first: z.int().nullable(),
    last: z.int().nullable(),
  }),
  reactions: z.int(),
  files: z.object({
    in_archive: z.int(),
    to_download: z.int(),
    links: z.int(),
    lost: counts.describe('By the reason.'),
    bytes: z.int(),
  }),
})

const fault = z.object({
  kind: z.string(),
  count: z.int(),
  first: z.array(z.string()).describe('Places and what is wrong there, at most 20.'),
})

const importPerson = z.object({
  key: z.string().describe('The id at the source.'),
  name: z.string(),
  email: z.string().nullable(),
  is_bot: z.boolean(),
  is_active: z.boolean(),
  user_id: z.int().nullable().describe('The account here with the address; null: the import makes one.'),
})

const importChannel = z.object({
  key: z.string().describe('The id at the source.'),
  name: z.string(),
  is_private: z.boolean(),
  is_archived: z.boolean(),
  members: z.int(),
})

const undone = z.object({
  messages: z.int(),
  accounts: z.int(),
  accounts_that_stay: z.int().describe('Because they were used since.'),
  channels: z.int(),
  channels_that_stay: z
    .array(z.string())
    .describe('Their names, at most 1000: they have messages that were sent here, or something names them.'),
})

/** An archive with what there is to know of it. */
export const importDetails = z.object({
  ...importRequest.shape,
  plan: importPlan.nullable().describe('Null before the check has ended.'),
  people: z.array(importPerson).describe('For the choices, at most 2000, those without an account here first.'),
  channels: z.array(importChannel).describe('For the choices, at most 2000.'),
  written: counts.describe('What the import has written, by its kind.'),
  can_be_undone: z.boolean().describe('Something is imported from it.'),
  undone: undone.nullable().describe('Null: the import was not undone.'),
  faults: z.array(fault).describe('What is wrong with single records: of the archive, and of what was written.'),
})

export type ImportRequest = z.output<typeof importRequest>
export type ImportPlan = z.output<typeof importPlan>
export type ImportPerson = z.output<typeof importPerson>
export type ImportChannel = z.output<typeof importChannel>
export type ImportDetails = z.output<typeof importDetails>
