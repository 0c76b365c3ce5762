import type { LinkifierBudget } from './linkifier-budget.js'
import type { UploadedFile } from './uploaded-files.js'
import type { Website } from './website.js'

/** One match of a linkifier in a text. */
export interface Found {
  start: number
  end: number
  url: string
}

export interface Linkifier {
  /** The matches in the order of the text, within the budget of `budget`. */
  find(text: string, budget: LinkifierBudget): readonly Found[]
}

export interface NamedUser {
  user_id: number
  full_name: string
  is_active: boolean
}

/** Of several users with one name a mention means none: it could notify the wrong user. */
export function onlyOne<User extends { is_active: boolean }>(users: readonly User[]): User | undefined {
  const active = users.filter(user => user.is_active)
  const meant = active.length > 0 ? active : users
  return meant.length === 1 ? meant[0] : undefined
}

/** The names that a message may refer to; lookups are synchronous, in the directory. */
export interface Names {
  /** The origin of this server, such as `https://chat.example`: links to it become relative. */
  origin: string
  userById(id: number): NamedUser | undefined
  /** The only active user of this name, or else the only deactivated one; ignores case. */
  userByName(fullName: string): NamedUser | undefined
  groupByName(name: string): { id: number; display_name: string; is_active: boolean } | undefined
  channelByName(name: string): { stream_id: number; name: string } | undefined
  /** Id of the newest message of a topic that the author can read. */
  newestInTopic(channelId: number, topic: string): number | undefined
  /** What clients show in place of the empty topic. */
  emptyTopicName: string
  /** A custom emoji of the organization, or the built-in extra one. */
  customEmoji(name: string): { id: string; source_url: string } | undefined
  /** An uploaded file that the author may read, by its path. */
  uploadedFile(path: string): UploadedFile | undefined
  /** The address at this server for content of another host; undefined: nothing of that address is shown. */
  external(url: string): string | undefined
  /** What a website shows of itself; undefined: not known, or nothing. */
  website(url: string): Website | undefined
  /** Whether linked pictures and videos have previews. */
  showsPreviews: boolean
  /** Whether linked websites have previews. */
  showsWebsites: boolean
  /** Whether emoticons such as `:)` become emoji: the author's choice. */
  translatesEmoticons: boolean
  /** The word for the language of code blocks that name none; '' for no language. */
  codeLanguage: string
  /** In the order in which they are applied: of two overlapping matches the first wins. */
  linkifiers: readonly Linkifier[]
}

/** For text that shows nothing to which it links. */
export const noPreviews: Pick<Names, 'external' | 'website' | 'showsPreviews' | 'showsWebsites'> = {
  external: () => undefined,
  website: () => undefined,
  showsPreviews: false,
  showsWebsites: false,
}

/** For text without references to names. */
export const noNames: Names = {
  origin: '',
  userById: () => undefined,
  userByName: () => undefined,
  groupByName: () => undefined,
  channelByName: () => undefined,
  newestInTopic: () => undefined,
  emptyTopicName: '',
  customEmoji: () => undefined,
  uploadedFile: () => undefined,
  ...noPreviews,
  translatesEmoticons: false,
  codeLanguage: '',
  linkifiers: [],
}
