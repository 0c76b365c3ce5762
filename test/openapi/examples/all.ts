import type { TestServer } from '../../support/server.js'
import {
  showExports,
  showFactors,
  showImports,
  showLeaving,
  showOwnThings,
  showSigningIn,
  showUsers,
} from './accounts.js'
import type { Cast } from './cast.js'
import { showChannels, showDefaultChannels, showFolders, showTopics } from './channels.js'
import { showInvitations } from './invitations.js'
import { showDrafts, showFiles, showMessages, showScheduled } from './messages.js'
import {
  showGroups,
  showLinkifiers,
  showOrganization,
  showPictures,
  showPlaygrounds,
  showProfileFields,
} from './organization.js'
import type { Recorder } from './recorder.js'

/** Sends at least one request of each operation, which is accepted and has an effect; several casts may do so in one organization. */
export async function showAll(server: TestServer, recorder: Recorder, cast: Cast): Promise<void> {
  await showSigningIn(server, recorder, cast)
  const design = await showChannels(cast)
  await showDefaultChannels(cast, design)
  await showFolders(cast)
  await showMessages(cast, design, server)
  await showTopics(cast, design)
  await showDrafts(cast, design)
  await showScheduled(cast, design)
  await showFiles(cast)
  await showUsers(cast)
  await showExports(cast, server)
  await showImports(cast, server)
  await showOwnThings(cast, server)
  await showGroups(cast)
  await showLinkifiers(cast)
  await showPlaygrounds(cast)
  await showInvitations(cast)
  await showOrganization(cast)
  await showProfileFields(cast)
  await showPictures(cast)
  await showFactors(cast)
  await showLeaving(cast, recorder, server)
}
