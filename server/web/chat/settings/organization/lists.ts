import { limits } from '../../../../../shared/limits.js'
import type { ChannelFolder } from '../../../../../shared/resources/channel-folder.js'
import type { DefaultChannelGroup } from '../../../../../shared/resources/default-channel-group.js'
import type { Linkifier } from '../../../../../shared/resources/linkifier.js'
import type { Playground } from '../../../../../shared/resources/playground.js'
import type { RealmDomain } from '../../../../../shared/resources/realm-domain.js'
import { byText, listText } from '../../../language/format.js'
import { st } from '../../../language/settings-language.js'
import { channelOf, openChannels } from '../../../state/channels.js'
import type { ChatState } from '../../../state/chat-state.js'
import { isOwner } from '../../../state/organization-rights.js'
import { isAdministrator } from '../../../state/permissions.js'
import { channelName } from '../../names.js'
import type { Listed, Request, Written } from '../listed.js'
import type { Option } from '../rows.js'

const linkifierParams = (written: Written) => ({
  pattern: written.pattern,
  url_template: written.url_template,
  example_input: written.example_input ?? '',
  reverse_template: written.reverse_template ?? '',
})

export const linkifiers: Listed<Linkifier> = {
  id: 'linkifiers',
  items: state => state.realm_linkifiers,
  idOf: ({ id }) => id,
  titleOf: ({ pattern }) => pattern,
  detailOf: ({ url_template }) => url_template,
  fields: [
    { name: 'pattern', kind: 'line', longest: 2000 },
    { name: 'url_template', kind: 'line', longest: 2000 },
    { name: 'example_input', kind: 'line', longest: 2000, isOptional: true },
    { name: 'reverse_template', kind: 'line', longest: 2000, isOptional: true },
  ],
  written: one => ({
    pattern: one.pattern,
    url_template: one.url_template,
    example_input: one.example_input ?? '',
    reverse_template: one.reverse_template ?? '',
  }),
  mayChange: isAdministrator,
  add: written => ['POST', '/realm/filters', linkifierParams(written)],
  change: ({ id }, written) => [['PATCH', `/realm/filters/${id}`, linkifierParams(written)]],
  remove: ({ id }) => ['DELETE', `/realm/filters/${id}`],
  order: ids => ['PATCH', '/realm/linkifiers', { ordered_linkifier_ids: ids }],
}

export const playgrounds: Listed<Playground> = {
  id: 'playgrounds',
  items: state => state.realm_playgrounds,
  idOf: ({ id }) => id,
  titleOf: ({ name, pygments_language }) => `${name} · ${pygments_language}`,
  detailOf: ({ url_template }) => url_template,
  fields: [
    { name: 'playground_name', kind: 'line', longest: 100 },
    { name: 'pygments_language', kind: 'line', longest: 40 },
    { name: 'playground_url', kind: 'line', longest: 2048 },
  ],
  mayChange: isAdministrator,
  add: ({ playground_name: name, pygments_language, playground_url: url_template }) => [
    'POST',
    '/realm/playgrounds',
    { name, pygments_language, url_template },
  ],
  remove: ({ id }) => ['DELETE', `/realm/playgrounds/${id}`],
}

export const domains: Listed<RealmDomain> = {
  id: 'domains',
  items: state => state.realm_domains,
  idOf: ({ domain }) => domain,
  titleOf: ({ domain }) => domain,
  detailOf: ({ allow_subdomains }) => (allow_subdomains ? st('lists.domains.withSubdomains') : ''),
  fields: [
    { name: 'domain', kind: 'line', longest: 255, isFixed: true },
    { name: 'allow_subdomains', kind: 'switch', isOptional: true },
  ],
  written: ({ allow_subdomains }) => ({ allow_subdomains: allow_subdomains ? 'true' : '' }),
  mayChange: isOwner,
  onlyOwners: true,
  add: ({ domain, allow_subdomains }) => [
    'POST',
    '/realm/domains',
    { domain, allow_subdomains: Boolean(allow_subdomains) },
  ],
  change: ({ domain }, { allow_subdomains }) => [
    ['PATCH', `/realm/domains/${domain}`, { allow_subdomains: Boolean(allow_subdomains) }],
  ],
  remove: ({ domain }) => ['DELETE', `/realm/domains/${domain}`],
}

export const folders: Listed<ChannelFolder> = {
  id: 'folders',
  items: state => state.channel_folders.filter(folder => !folder.is_archived),
  idOf: ({ id }) => id,
  titleOf: ({ name }) => name,
  detailOf: ({ description }) => description,
  fields: [
    { name: 'folder_name', kind: 'line', longest: limits.max_channel_folder_name_length },
    { name: 'purpose', kind: 'line', longest: limits.max_channel_folder_description_length, isOptional: true },
  ],
  written: ({ name, description }) => ({ folder_name: name, purpose: description }),
  mayChange: isAdministrator,
  add: ({ folder_name: name, purpose: description = '' }) => ['POST', '/channel_folders/create', { name, description }],
  change: ({ id }, { folder_name: name, purpose: description }) => [
    ['PATCH', `/channel_folders/${id}`, { name, description }],
  ],
  remove: ({ id }) => ['PATCH', `/channel_folders/${id}`, { is_archived: true }],
  removeTitle: 'frame.archive',
  // The server wants the archived ones, too.
  order: (ids, state) => {
    const archived = state.channel_folders.filter(folder => folder.is_archived).map(({ id }) => id)
    return ['PATCH', '/channel_folders', { order: [...ids, ...archived] }]
  },
}

const namesOf = (state: ChatState, ids: readonly number[]): string[] =>
  ids.flatMap(id => channelOf(state, id)?.name ?? [])
const idsIn = (written: string | undefined): number[] => (written ?? '').split(',').filter(Boolean).map(Number)

export const defaultChannels: Listed<number> = {
  id: 'defaultChannels',
  items: state => state.realm_default_streams,
  idOf: id => id,
  titleOf: (id, state) => `#${channelName(state, id)}`,
  fields: [{ name: 'default_channel', kind: 'choice', options: otherChannels }],
  mayChange: isAdministrator,
  add: ({ default_channel }) => ['POST', '/default_streams', { stream_id: Number(default_channel) }],
  remove: id => ['DELETE', '/default_streams', { stream_id: id }],
}

/** Public channels that are no default channels yet. */
function otherChannels(state: ChatState): Option[] {
  return openChannels(state)
    .filter(({ invite_only, stream_id }) => !invite_only && !state.realm_default_streams.includes(stream_id))
    .sort((a, b) => byText(a.name, b.name))
    .map(({ stream_id, name }) => [stream_id, () => `#${name}`])
}

export const defaultGroups: Listed<DefaultChannelGroup> = {
  id: 'defaultGroups',
  items: state => state.realm_default_stream_groups,
  idOf: ({ id }) => id,
  titleOf: ({ name }) => name,
  detailOf: ({ streams, description }, state) =>
    [description, listText(namesOf(state, streams).map(name => `#${name}`))].filter(Boolean).join(' · '),
  fields: [
    { name: 'group_name', kind: 'line', longest: limits.max_stream_name_length },
    { name: 'purpose', kind: 'line', longest: limits.max_stream_description_length, isOptional: true },
    { name: 'channels', kind: 'channels', isOptional: true },
  ],
  written: ({ name, description, streams }) => ({ group_name: name, purpose: description, channels: streams.join() }),
  mayChange: isAdministrator,
  add: ({ group_name, purpose: description = '', channels }, state) => [
    'POST',
    '/default_stream_groups/create',
    { group_name, description, stream_names: namesOf(state, idsIn(channels)) },
  ],
  change({ id, name, description, streams }, { group_name, purpose = '', channels }, state) {
    const wanted = idsIn(channels)
    const channelsOf = (op: 'add' | 'remove', ids: readonly number[]): Request[] =>
      ids.length === 0
        ? []
        : [['PATCH', `/default_stream_groups/${id}/streams`, { op, stream_names: namesOf(state, ids) }]]
    return [
      ...(group_name === name ? [] : [rename(id, { new_group_name: group_name })]),
      ...(purpose === description ? [] : [rename(id, { new_description: purpose })]),
      ...channelsOf(
        'add',
        wanted.filter(one => !streams.includes(one)),
      ),
      ...channelsOf(
        'remove',
        streams.filter(one => !wanted.includes(one)),
      ),
    ]
  },
  remove: ({ id }) => ['DELETE', `/default_stream_groups/${id}`],
}

const rename = (id: number, params: Readonly<Record<string, unknown>>): Request => [
  'PATCH',
  `/default_stream_groups/${id}`,
  params,
]
