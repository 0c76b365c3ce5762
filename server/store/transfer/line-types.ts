import type { LineType } from './line-type.js'
import { attachmentLine, attachmentUseLine } from './lines/attachment.js'
import { channelLine, defaultGroupLine, folderLine, subscriptionLine, topicPolicyLine } from './lines/channel.js'
import { customEmojiLine } from './lines/custom-emoji.js'
import { groupLine, groupMemberLine, subgroupLine } from './lines/group.js'
import { conversationLine, messageLine, readLine } from './lines/message.js'
import { organizationLine } from './lines/organization.js'
import {
  botStorageLine,
  deviceLine,
  domainLine,
  draftLine,
  identityLine,
  linkifierLine,
  playgroundLine,
  snippetLine,
  viewLine,
} from './lines/own-things.js'
import { profileFieldLine } from './lines/profile-field.js'
import { userLine } from './lines/user.js'

/** The kinds of lines in the order of an export: a row comes before the rows that refer to it. */
export const lineTypes: readonly LineType[] = [
  organizationLine,
  userLine,
  profileFieldLine,
  groupLine,
  groupMemberLine,
  subgroupLine,
  folderLine,
  channelLine,
  defaultGroupLine,
  subscriptionLine,
  topicPolicyLine,
  linkifierLine,
  playgroundLine,
  domainLine,
  customEmojiLine,
  identityLine,
  snippetLine,
  draftLine,
  viewLine,
  deviceLine,
  botStorageLine,
  conversationLine,
  messageLine,
  readLine,
  attachmentLine,
  attachmentUseLine,
]

/** Tables, and columns of exported tables, that an export does not contain, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  migrations: 'of the database itself',
  outbox: 'events on their way',
  idempotency_keys: 'of the last minutes',
  jobs: 'work of this installation',
  audit_log: 'of this installation',
  pending_addresses: 'links that last a day',
  confirmations: 'links that last some days',
  invitations: 'links that let people in, and that lead to this installation',
  sessions: 'of browsers that are signed in here',
  authenticator_apps: 'secrets: people set them up again',
  passkeys: 'of this address: people add them again',
  recovery_codes: 'secrets: people get new ones',
  channel_traffic: 'counted again',
  channel_traffic_counted: 'counted again',
  bot_storage_sizes: 'counted again',
  upload_space: 'counted again',
  loose_files: 'of this installation',
  resumable_uploads: 'of this installation',
  resumable_parts: 'of this installation',
  websites: 'read again',
  website_work: 'of this installation',
  linkifier_list: 'a version',
  organization_lists: 'a version',
  channel_changes: 'a version',
  lists_version: 'a version',
  list_changes: 'for memories of workers',
  reactions: 'in the line of their message',
  submessages: 'in the line of their message',
  message_flags: 'in the line of their message',
  message_edits: 'in the line of their message',
  'organization.id': 'there is one',
  'organization.uuid': 'of this installation',
  'organization.secret': 'of this installation',
  'organization.version': 'a version',
  'users.version': 'a version',
  'user_groups.version': 'a version',
  'channels.version': 'a version',
  'custom_emoji.version': 'a version',
  'channels.subscribers_version': 'a version',
  'bot_storage.key_hash': 'follows from the key',
  'messages.search': 'follows from the text',
  'read_state.condensed': 'counted again',
}
