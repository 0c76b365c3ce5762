import type { StateInline } from 'markdown-it'
import { cleanName } from '../clean-name.js'
import { type Rendering, renderingOf } from './rendering.js'

const channelWildcards: readonly string[] = ['all', 'everyone', 'channel', 'stream']
const mention = /@(_?)(?:\*\*([^*\n]+)\*\*|\*([^*\n]+)\*)/y
// An at sign inside a word belongs to an email address.
const mayStandBefore = /[\s'"({[/<]/

interface Mention {
  attrs: [string, string][]
  name: string
  /** Of a deactivated user or group. */
  isSilent?: boolean
  note(): void
}

/** Inline rule: `@**Name**`, `@**Name|5**`, `@**all**`, `@*group*`, and each with `@_` for a silent one. */
export function mentions(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x40) return false
  if (state.pos > 0 && !mayStandBefore.test(state.src.charAt(state.pos - 1))) return false
  mention.lastIndex = state.pos
  const [source, underscore, name, group] = mention.exec(state.src) ?? []
  if (source === undefined || state.pos + source.length > state.posMax) return false
  const rendering = renderingOf(state.env)
  const found = name === undefined ? groupMention(rendering, group ?? '') : nameMention(rendering, name)
  if (!found) return false
  if (!silent) push(state, found, underscore === '_' || rendering.quoted || found.isSilent === true)
  state.pos += source.length
  return true
}

function push(state: StateInline, { attrs, name, note }: Mention, quiet: boolean): void {
  const token = state.push('mention_open', 'span', 1)
  token.attrs = attrs.map(([key, value]) => [key, key === 'class' && quiet ? `${value} silent` : value])
  state.push('text', '', 0).content = quiet ? name : `@${name}`
  state.push('mention_close', 'span', -1)
  if (!quiet) note()
}

function nameMention(rendering: Rendering, name: string): Mention | undefined {
  if (channelWildcards.includes(name)) {
    const attrs: Mention['attrs'] = [
      ['class', 'user-mention channel-wildcard-mention'],
      ['data-user-id', '*'],
    ]
    return {
      attrs,
      name,
      note: () => {
        rendering.channelWildcard = true
      },
    }
  }
  if (name === 'topic') {
    return {
      attrs: [['class', 'topic-mention']],
      name,
      note: () => {
        rendering.topicWildcard = true
      },
    }
  }
  const user = findUser(rendering, name)
  return (
    user && {
      attrs: [
        ['class', 'user-mention'],
        ['data-user-id', String(user.user_id)],
      ],
      name: user.full_name,
      isSilent: !user.is_active,
      note: () => rendering.userIds.add(user.user_id),
    }
  )
}

/** If two users share a name, a mention needs the id. A name before an id must be exact. */
function findUser({ names }: Rendering, name: string) {
  const [, namePart = '', idPart] = /^(.*)\|(\d{1,15})$/.exec(name) ?? []
  if (idPart !== undefined) {
    const user = names.userById(Number(idPart))
    if (user && ['', user.full_name].some(agreed => agreed === namePart || agreed === cleanName(namePart))) return user
  }
  return names.userByName(name)
}

function groupMention(rendering: Rendering, name: string): Mention | undefined {
  const group = rendering.names.groupByName(name)
  return (
    group && {
      attrs: [
        ['class', 'user-group-mention'],
        ['data-user-group-id', String(group.id)],
      ],
      name: group.display_name,
      isSilent: !group.is_active,
      note: () => rendering.groupIds.add(group.id),
    }
  )
}
