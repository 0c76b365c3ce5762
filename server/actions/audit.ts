import type { Origin } from '../ctx.js'
import type { AuditEntry } from '../store/audit-log.js'
import type { Directory } from '../store/directory.js'

type Fields = Record<string, unknown>
type Change = Pick<AuditEntry, 'subject' | 'before' | 'after'>
type Known = Pick<Directory, 'organization' | 'users' | 'groups' | 'channels'>

// The audited fields of an account: identity and permissions. Other fields are the user's own.
const ofUser = ['role', 'is_active', 'bot_owner_id', 'full_name', 'new_email', 'is_bot', 'bot_type'] as const
const ofChannel = ['name', 'invite_only', 'is_web_public', 'history_public_to_subscribers'] as const

/** Extracts audit-log changes from an event; an empty list if the event only makes existing data visible to a user. */
type Reader = (payload: never, before: Known) => readonly Change[]

/**
 * The events that report administrative changes: every action that emits one of them writes an audit-log row. Only the fields named here
 * are written, so no secrets.
 */
const readers: Readonly<Record<string, Reader>> = {
  'realm_user/add': (payload: { person?: Fields; people?: readonly Fields[] }, { users }) =>
    peopleOf(payload)
      .filter(person => !users.has(person.user_id as number))
      .map(person => ({ subject: { user_id: person.user_id }, before: null, after: pick(person, ofUser) })),
  'realm_user/update': (payload: { person?: Fields; people?: readonly Fields[] }, { users }) =>
    peopleOf(payload).flatMap(person => {
      const row = users.get(person.user_id as number) as unknown as Fields | undefined
      const before = row && { ...row, new_email: row.delivery_email }
      return changed({ user_id: person.user_id }, before, pick(person, ofUser))
    }),
  _revoked: ({ user_id }: { user_id: number }) => [{ subject: { user_id }, before: null, after: { key: 'revoked' } }],
  'realm/update': ({ property, value }: { property: string; value: unknown }, { organization }) =>
    changed({}, settingsOf(organization), { [property]: value }),
  'realm/update_dict': ({ data }: { data: Fields }, { organization }) => changed({}, settingsOf(organization), data),
  'realm_user_settings_defaults/update': (
    { property, value }: { property: string; value: unknown },
    { organization },
  ) => changed({}, organization.user_settings_defaults, { [property]: value }),
  'user_group/add': ({ group }: { group: Fields }, { groups }) =>
    groups.has(group.id as number)
      ? []
      : [
          {
            subject: { group_id: group.id },
            before: null,
            after: pick(group, ['name', 'members', 'direct_subgroup_ids']),
          },
        ],
  'user_group/update': ({ group_id, data }: { group_id: number; data: Fields }, { groups }) => {
    const row = groups.get(group_id) as unknown as Fields | undefined
    return changed({ group_id }, row && { ...row, ...(row.settings as Fields | undefined) }, data)
  },
  ...membership('user_group/add_members', 'user_ids', 'added'),
  ...membership('user_group/remove_members', 'user_ids', 'removed'),
  ...membership('user_group/add_subgroups', 'direct_subgroup_ids', 'added'),
  ...membership('user_group/remove_subgroups', 'direct_subgroup_ids', 'removed'),
  'stream/create': ({ streams }: { streams: readonly Fields[] }, { channels }) =>
    streams
      .filter(stream => !channels.has(stream.stream_id as number))
      .map(stream => ({ subject: { stream_id: stream.stream_id }, before: null, after: pick(stream, ofChannel) })),
  'stream/update': (
    { stream_id, property, value }: { stream_id: number; property: string; value: unknown },
    { channels },
  ) => {
    // The server computes these, or messages and subscriptions change them.
    if (['stream_weekly_traffic', 'first_message_id', 'is_recently_active', 'subscriber_count'].includes(property))
      return []
    const row = channels.get(stream_id) as unknown as Fields | undefined
    return changed({ stream_id }, row && { ...row, ...(row.settings as Fields) }, { [property]: value })
  },
  realm_linkifiers: ({ realm_linkifiers }: { realm_linkifiers: readonly Fields[] }) => [
    { subject: {}, before: null, after: { patterns: realm_linkifiers.map(one => one.pattern) } },
  ],
  custom_profile_fields: ({ fields }: { fields: readonly Fields[] }) => [
    { subject: {}, before: null, after: { fields: fields.map(one => one.name) } },
  ],
}

export const isAudited = (event: string): boolean => Object.hasOwn(readers, event)

/** The audit-log rows for the events of one transaction, each change once. `before`: the directory without the changes. */
export function auditEntries(
  events: readonly { readonly def: { readonly name: string }; readonly payload: object }[],
  before: Known,
  { userId, operation, requestId, address }: Origin,
): AuditEntry[] {
  const seen = new Set<string>()
  return events.flatMap(({ def: { name: event }, payload }) =>
    (readers[event]?.(payload as never, before) ?? []).flatMap(change => {
      // The same change may be emitted in several events, for different audiences.
      const key = JSON.stringify([event, change])
      if (seen.has(key)) return []
      seen.add(key)
      return [{ actor_id: userId, operation, request_id: requestId, address, event, ...change }]
    }),
  )
}

// Members of system groups follow from roles, and a change of role writes its own row.
function membership(event: string, field: string, how: 'added' | 'removed'): Record<string, Reader> {
  return {
    [event]: (payload: Fields & { group_id: number }, { groups }: Known) =>
      groups.get(payload.group_id)?.is_system_group
        ? []
        : [{ subject: { group_id: payload.group_id }, before: null, after: { [how]: { [field]: payload[field] } } }],
  }
}

const peopleOf = ({ person, people }: { person?: Fields; people?: readonly Fields[] }) =>
  people ?? (person ? [person] : [])

const settingsOf = ({ name, description, is_active, settings }: Known['organization']): Fields => ({
  name,
  description,
  is_active,
  ...settings,
})

function pick(from: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter(name => from[name] !== undefined).map(name => [name, from[name]]))
}

/** Empty if no value differs: the event reports present values to a further audience. */
function changed(subject: Fields, row: Fields | undefined, after: Fields): readonly Change[] {
  const before = row ? pick(row, Object.keys(after)) : null
  const isNew = Object.entries(after).some(([name, value]) => JSON.stringify(before?.[name]) !== JSON.stringify(value))
  return isNew ? [{ subject, before, after }] : []
}
