import { isOwner } from '../../../state/organization-rights.js'
import { isAdministrator, isGuest } from '../../../state/permissions.js'
import { listOf } from '../list-part.js'
import type { Section } from '../section.js'
import { AuditLog } from './audit/audit-log.js'
import { ChannelList } from './channel-list.js'
import { Closing } from './closing.js'
import { CustomEmoji } from './custom-emoji.js'
import { Exports } from './exports.js'
import { general } from './general.js'
import { GroupTree } from './group-tree.js'
import { Imports } from './imports/imports.js'
import { Invitations } from './invitations.js'
import { joining } from './joining.js'
import { LinkifierTester } from './linkifier-tester.js'
import { defaultChannels, defaultGroups, folders, linkifiers, playgrounds } from './lists.js'
import { messages } from './messages.js'
import { newUsers } from './new-users.js'
import { People } from './people.js'
import { permissions } from './permissions.js'
import { profileFields } from './profile-fields.js'
import { Storage } from './server-facts.js'
import { spaceOfFiles } from './space-of-files.js'

/** The sections about the organization. */
export const organizationSections: readonly Section[] = [
  general,
  permissions,
  messages,
  { id: 'people', icon: 'people', parts: [{ shows: People }] },
  { id: 'invitations', icon: 'send', parts: [{ shows: Invitations }], isFor: state => !isGuest(state) },
  { id: 'groups', icon: 'mention', parts: [{ shows: GroupTree }] },
  {
    id: 'channels',
    icon: 'list',
    parts: [{ shows: ChannelList }, { title: 'parts.folders', shows: listOf(folders) }],
  },
  {
    id: 'default-channels',
    icon: 'pin',
    parts: [
      { title: 'parts.defaultChannels', shows: listOf(defaultChannels) },
      { title: 'parts.defaultGroups', shows: listOf(defaultGroups) },
    ],
    isFor: state => !isGuest(state),
  },
  { ...newUsers, isFor: state => !isGuest(state) },
  { id: 'profile-fields', icon: 'info', parts: [{ shows: listOf(profileFields) }] },
  { id: 'emoji', icon: 'smile', parts: [{ shows: CustomEmoji }] },
  {
    id: 'linkifiers',
    icon: 'link',
    parts: [{ shows: listOf(linkifiers) }, { title: 'parts.tester', shows: LinkifierTester }],
  },
  { id: 'playgrounds', icon: 'code', parts: [{ shows: listOf(playgrounds) }] },
  joining,
  { id: 'storage', icon: 'clip', parts: [{ shows: Storage }, { rows: [spaceOfFiles] }] },
  { id: 'audit-log', icon: 'clock', parts: [{ shows: AuditLog }], isFor: isAdministrator },
  { id: 'imports', icon: 'up', parts: [{ shows: Imports }], isFor: isAdministrator },
  { id: 'exports', icon: 'down', parts: [{ shows: Exports }], isFor: isAdministrator },
  { id: 'closing', icon: 'lock', parts: [{ shows: Closing }], isFor: isOwner },
]
