import type { Route } from '../route.js'
import { addReactionRoute } from './add-reaction.js'
import { appendToMessage } from './append-to-message.js'
import { deleteMessageRoute } from './delete-message.js'
import { endStreamedMessage } from './end-streamed-message.js'
import { getMessage } from './get-message.js'
import { getMessageHistory } from './get-message-history.js'
import { getMessages } from './get-messages.js'
import { getReadReceipts } from './get-read-receipts.js'
import { getSearchSummary } from './get-search-summary.js'
import { getStreamedText } from './get-streamed-text.js'
import { markAllAsRead } from './mark-all-as-read.js'
import { markStreamAsRead } from './mark-stream-as-read.js'
import { markTopicAsRead } from './mark-topic-as-read.js'
import { matchesNarrow } from './matches-narrow.js'
import { removeReactionRoute } from './remove-reaction.js'
import { renderMessage } from './render-message.js'
import { reportMessageRoute } from './report-message.js'
import { sendMessageRoute } from './send-message.js'
import { setEditTyping } from './set-edit-typing.js'
import { setTyping } from './set-typing.js'
import { submessageRoute } from './submessage.js'
import { updateMessage } from './update-message.js'
import { updateMessageFlags } from './update-message-flags.js'
import { updateMessageFlagsNarrow } from './update-message-flags-narrow.js'

export const messagesRoutes: readonly Route[] = [
  sendMessageRoute,
  getMessages,
  getMessage,
  getMessageHistory,
  getReadReceipts,
  matchesNarrow,
  getSearchSummary,
  updateMessage,
  deleteMessageRoute,
  addReactionRoute,
  removeReactionRoute,
  submessageRoute,
  reportMessageRoute,
  updateMessageFlags,
  updateMessageFlagsNarrow,
  markAllAsRead,
  markStreamAsRead,
  markTopicAsRead,
  renderMessage,
  appendToMessage,
  endStreamedMessage,
  getStreamedText,
  setTyping,
  setEditTyping,
]
