import { botMessage } from './bot-message.js'
import { countTraffic } from './count-channel-traffic.js'
import { decideNotificationsKind } from './decide-notifications.js'
import { deleteOrganization } from './delete-organization.js'
import { digests } from './digests.js'
import { eraseUser } from './erase-user.js'
import { eventSubscriptionKind } from './event-subscription.js'
import { endExports, exportKind } from './export.js'
import { forgetFiles } from './forget-files.js'
import { endImportsKind, importKind } from './import.js'
import { importFiles } from './import-files.js'
import { incomingMail } from './incoming-mail.js'
import type { JobKind } from './job-kind.js'
import { lastQueue } from './last-queue.js'
import { mail } from './mail.js'
import { markChannelRead } from './mark-channel-read.js'
import { missedMessages, pruneMissedMessages, remainingMissedMails } from './missed-messages.js'
import { noticeKind } from './notice.js'
import { outgoingWebhookKind } from './outgoing-webhook.js'
import { promoteMembers } from './promote-full-members.js'
import { pruneAudit } from './prune-audit-log.js'
import { pruneKeys } from './prune-idempotency-keys.js'
import { pruneIncomingMail } from './prune-incoming-mail.js'
import { pruneSessions } from './prune-sessions.js'
import { pruneKeptWebsites } from './prune-websites.js'
import { pushKinds } from './push.js'
import { rebuildSearchKind } from './rebuild-search.js'
import { remindInvited } from './remind-invited.js'
import { reminderKind } from './reminder.js'
import { removeFiles } from './remove-files.js'
import { applyRetention, pruneArchive, removeExpiredMessages } from './retention.js'
import { scheduledMessageKind } from './scheduled-message.js'
import { showGrowth } from './show-growth.js'
import { statusEnd } from './status-end.js'
import { streamedMessage } from './streamed-message.js'
import { remainingThumbnails, thumbnails } from './thumbnails.js'
import { warnOfQuotas } from './warn-of-quotas.js'
import { websiteKinds } from './websites.js'
import { welcomeMail } from './welcome-mail.js'
import { withdrawDeletedPushes, withdrawPushes } from './withdraw-pushes.js'

/** All kinds of jobs, for one worker. */
export const jobKinds = (): readonly JobKind[] => [
  noticeKind(),
  mail,
  welcomeMail,
  decideNotificationsKind(),
  incomingMail,
  outgoingWebhookKind(),
  botMessage,
  eventSubscriptionKind(),
  lastQueue,
  missedMessages,
  remainingMissedMails,
  pruneMissedMessages,
  scheduledMessageKind(),
  streamedMessage,
  showGrowth,
  reminderKind(),
  ...pushKinds(),
  withdrawDeletedPushes,
  withdrawPushes,
  statusEnd,
  markChannelRead,
  thumbnails,
  remainingThumbnails,
  ...websiteKinds(),
  removeFiles,
  forgetFiles,
  importFiles,
  exportKind,
  endExports,
  importKind,
  endImportsKind,
  promoteMembers,
  remindInvited,
  digests,
  countTraffic,
  applyRetention,
  removeExpiredMessages,
  pruneArchive,
  warnOfQuotas,
  deleteOrganization,
  eraseUser,
  pruneKeys,
  pruneIncomingMail,
  pruneSessions,
  pruneAudit,
  pruneKeptWebsites,
  rebuildSearchKind,
]
