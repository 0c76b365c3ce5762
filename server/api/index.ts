import { auditLogRoutes } from './audit-log/index.js'
import { authRoutes } from './auth/index.js'
import { botsRoutes } from './bots/index.js'
import { channelFoldersRoutes } from './channel-folders/index.js'
import { channelsRoutes } from './channels/index.js'
import { defaultChannelsRoutes } from './default-channels/index.js'
import { devicesRoutes } from './devices/index.js'
import { domainsRoutes } from './domains/index.js'
import { draftsRoutes } from './drafts/index.js'
import { emojiRoutes } from './emoji/index.js'
import { eventSubscriptionsRoutes } from './event-subscriptions/index.js'
import { eventsRoutes } from './events/index.js'
import { exportsRoutes } from './exports/index.js'
import { factorsRoutes } from './factors/index.js'
import { filesRoutes } from './files/index.js'
import { groupsRoutes } from './groups/index.js'
import { importsRoutes } from './imports/index.js'
import { invitesRoutes } from './invites/index.js'
import { linkifiersRoutes } from './linkifiers/index.js'
import { messagesRoutes } from './messages/index.js'
import { navigationViewsRoutes } from './navigation-views/index.js'
import { picturesRoutes } from './pictures/index.js'
import { playgroundsRoutes } from './playgrounds/index.js'
import { presenceRoutes } from './presence/index.js'
import { profileFieldsRoutes } from './profile-fields/index.js'
import { pushRoutes } from './push/index.js'
import { remindersRoutes } from './reminders/index.js'
import type { Route } from './route.js'
import { scheduledRoutes } from './scheduled/index.js'
import { settingsRoutes } from './settings/index.js'
import { snippetsRoutes } from './snippets/index.js'
import { topicsRoutes } from './topics/index.js'
import { usersRoutes } from './users/index.js'

/** The operations by area; each area lists its own. */
export const areas: Readonly<Record<string, readonly Route[]>> = {
  'audit-log': auditLogRoutes,
  auth: authRoutes,
  bots: botsRoutes,
  'channel-folders': channelFoldersRoutes,
  channels: channelsRoutes,
  'default-channels': defaultChannelsRoutes,
  devices: devicesRoutes,
  drafts: draftsRoutes,
  emoji: emojiRoutes,
  'event-subscriptions': eventSubscriptionsRoutes,
  events: eventsRoutes,
  exports: exportsRoutes,
  factors: factorsRoutes,
  files: filesRoutes,
  groups: groupsRoutes,
  domains: domainsRoutes,
  imports: importsRoutes,
  invites: invitesRoutes,
  linkifiers: linkifiersRoutes,
  messages: messagesRoutes,
  'navigation-views': navigationViewsRoutes,
  pictures: picturesRoutes,
  playgrounds: playgroundsRoutes,
  presence: presenceRoutes,
  'profile-fields': profileFieldsRoutes,
  push: pushRoutes,
  reminders: remindersRoutes,
  scheduled: scheduledRoutes,
  settings: settingsRoutes,
  snippets: snippetsRoutes,
  topics: topicsRoutes,
  users: usersRoutes,
}

/** Every operation of the API. */
export const routes: readonly Route[] = Object.values(areas).flat()
