import { createContext, useContext } from 'solid-js'
import type { Place } from '../../../shared/resources/place.js'
import type { Target } from '../state/address.js'
import type { Narrow } from '../state/narrow.js'
import type { Section } from '../state/sections.js'
import type { Hit, SettingsPlace } from '../state/settings-place.js'
import type { Attaching } from './attaching.js'
import type { Drafts } from './drafts.js'
import type { Layers } from './layers.js'
import type { PeoplePanel } from './panel-state.js'
import type { ReadThrough } from './read-through.js'
import type { Reading } from './reading.js'
import type { Selection } from './selection.js'
import type { Sending } from './sending.js'
import type { SingleKeys } from './single-keys.js'

/** The open view, or the conversation beside it, and the state of the page around them. */
export interface View {
  /** Undefined: the list of channels, which is a separate view on a phone. */
  readonly narrow: () => Narrow | undefined
  /** Where the address leads; a new object for each navigation. */
  readonly target: () => Target | undefined
  go(narrow: Narrow | undefined, how?: Navigation): void
  /** Whether this is the conversation beside the open view. */
  readonly isBeside: boolean
  /** The conversation beside the open view, if the window has room for it. */
  readonly beside: () => Narrow | undefined
  /** Whether a conversation can be opened beside the open view. */
  mayOpenBeside(narrow: Narrow): boolean
  openBeside(narrow: Narrow): void
  /** Closes this view of the two; the other one stays. */
  close(): void
  /** Moves the focus to the other view of the two. */
  toOther(): void
  /** The page of settings that is open in place of the list and the view; these stay as they are. */
  readonly settings: () => SettingsPlace | undefined
  openSettings(place: SettingsPlace): void
  /** Loads a search over all settings. @throws where it cannot be loaded */
  loadSettings(): Promise<(words: string) => Hit[]>
  /** Back to what was open before the settings. */
  leaveSettings(): void
  /** Opens the view that the user has chosen as the first one. */
  goHome(isReplacing?: boolean): void
  /** Follows a link in a message. False: it leads nowhere in this page. */
  follow(link: string): boolean
  /** The message that is marked for some seconds, because a link led to it. */
  readonly pointed: () => number | undefined
  point(id: number): void
  /** Whether a long message of the view is shown whole. */
  isUnfolded(id: number): boolean
  unfold(id: number, isWhole: boolean): void
  /** Messages in sight stay unread, because the user has just marked some as unread; until another view is opened. */
  readonly keepsUnread: () => boolean
  keepUnread(isKept: boolean): void
  readonly contextMenu: () => MenuPlace | undefined
  openContextMenu(place: MenuPlace | undefined): void
  readonly layers: Layers
  readonly selection: Selection
  readonly dialog: () => Dialog | undefined
  open(dialog: Dialog | undefined): void
  /** Closes the uppermost dialog. */
  closeDialog(): void
  readonly sending: Sending
  readonly reading: Reading
  readonly drafts: Drafts
  readonly attaching: Attaching
  readonly people: PeoplePanel
  readonly singleKeys: SingleKeys
  readonly readThrough: ReadThrough
  /** The message that is being edited. */
  readonly editing: () => number | undefined
  edit(id: number | undefined): void
  /** The message for which the picker of emoji is open. */
  readonly reacting: () => number | undefined
  react(id: number | undefined): void
  /** Moves the focus to the composer. */
  focusComposer(): void
  composer: HTMLTextAreaElement | undefined
  /** Text to put into the composer. */
  readonly searchBox: { focus: () => void }
}

export interface Navigation {
  /** The message to show. */
  readonly near?: number
  /** Takes the place of the present address in the browser's history. */
  readonly isReplacing?: boolean
}

/** What a menu is about: a message, the view to which a row of the list leads, or a section of the list. */
export interface MenuSubject {
  readonly messageId?: number
  readonly row?: Narrow
  readonly section?: Section
}

/** Where a menu is open, in pixels of the window. */
export interface MenuPlace extends MenuSubject {
  readonly x: number
  readonly y: number
  /** Gets the focus when the menu closes. */
  readonly opener: HTMLElement
}

/** A message that is to be scheduled. */
export interface Written {
  readonly place: Place
  readonly content: string
  /** It is scheduled. */
  done(): void
}

export type Dialog =
  | 'keys'
  | 'channels'
  | 'new-direct'
  | 'new-topic'
  | { readonly newTopicIn: number }
  | 'create-channel'
  | 'new-folder'
  | 'status'
  | 'quiet'
  | 'drafts'
  | 'avatar'
  | 'people'
  | 'snippets'
  | 'jump'
  | { readonly forward: readonly number[] }
  | { readonly aboutMessage: number }
  | { readonly person: number }
  | { readonly folder: number }
  | { readonly report: number }
  | { readonly picture: PictureAt }
  | { readonly sendLater: Written }
  /** The message. */
  | { readonly remind: number }
  /** The scheduled message that is edited. */
  | { readonly scheduled: number }
  | { readonly move: MovedPlace }
  /** With a topic, the notifications are also those of this topic. */
  | { readonly channel: number; readonly tab?: ChannelTab; readonly topic?: string | undefined }
  | { readonly group: OpenGroup }
  | OpenFiles
  /** The channel. */
  | { readonly news: number }

/** The files of this channel or conversation; null: of all. One that is a picture may be shown above them. */
export interface OpenFiles {
  readonly files: Narrow | null
  readonly shown?: PictureAt
}

/** What is open after the uppermost dialog has closed. */
export const beneath = (dialog: Dialog | undefined): Dialog | undefined =>
  typeof dialog === 'object' && 'files' in dialog && dialog.shown ? { files: dialog.files } : undefined

/** Which uploaded picture of a message, counted from 0. */
export interface PictureAt {
  readonly messageId: number
  readonly index: number
}

/** The properties of the dialog with this name: what it is about. */
export type About<Name extends string> = { readonly about: Extract<Dialog, Readonly<Record<Name, unknown>>> }

/** A topic whose messages are to be moved: all, or those that a choice beginning with one message names. */
export interface MovedPlace {
  readonly channelId: number
  readonly topic: string
  readonly messageId?: number
}

/** The list of groups, the form of a new one, or the group with this id. */
export type OpenGroup = 'all' | 'new' | number

/** A part of the dialog about a channel. */
export type ChannelTab = 'settings' | 'permissions' | 'members' | 'topics' | 'notifications'

export const ViewContext = createContext<View>()

export function useView(): View {
  const view = useContext(ViewContext)
  if (!view) throw new Error('outside of the page')
  return view
}
