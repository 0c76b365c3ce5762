import { isGuest } from '../../../state/permissions.js'
import { listOf } from '../list-part.js'
import { rowsOf } from '../rows.js'
import type { Section } from '../section.js'
import { ChannelList } from './channel-list.js'
import { CustomEmoji } from './custom-emoji.js'
import { general } from './general.js'
import { GroupTree } from './group-tree.js'
import { Invitations } from './invitations.js'
import { LinkifierTester } from './linkifier-tester.js'
import { defaultChannels, defaultGroups, domains, folders, linkifiers, playgrounds } from './lists.js'
import { messages } from './messages.js'
import { newUsers } from './new-users.js'
import { People } from './people.js'
import { permissions } from './permissions.js'
import { profileFields } from './profile-fields.js'
import { SignInMethods, Storage } from './server-facts.js'

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
  { id: 'profile-fields', icon: 'edit', parts: [{ shows: listOf(profileFields) }] },
  { id: 'emoji', icon: 'smile', parts: [{ shows: CustomEmoji }] },
  {
    id: 'linkifiers',
    icon: 'link',
    parts: [{ shows: listOf(linkifiers) }, { title: 'parts.tester', shows: LinkifierTester }],
  },
  { id: 'playgrounds', icon: 'code', parts: [{ shows: listOf(playgrounds) }] },
  {
    id: 'joining',
    icon: 'globe',
    parts: [
      { title: 'parts.signIn', shows: SignInMethods },
      {
        title: 'parts.domains',
        shows: listOf(domains),
        rows: [
          rowsOf('organization').toggle('emails_restricted_to_domains'),
          rowsOf('organization').toggle('disallow_disposable_email_addresses'),
        ],
      },
    ],
  },
  { id: 'storage', icon: 'clip', parts: [{ shows: Storage }] },
]
