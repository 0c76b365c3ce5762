import { readFileSync } from 'node:fs'
import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { readConfig } from '../../server/config.js'
import { limits } from '../../shared/limits.js'

const config = readConfig({})

/** A phrase of each page for each limit that it repeats; `#` stands for the value in the code. */
const phrases: Readonly<Record<string, readonly (readonly [phrase: string, value: number])[]>> = {
  'docs/protocol/limits.md': [
    ['| body | # MiB (`MAX_BODY_BYTES`)', config.maxBodyBytes / 2 ** 20],
    ['| time for a body to arrive | # s', config.bodySeconds],
    ['| frame of a socket | # MiB (`MAX_FRAME_BYTES`)', config.maxFrameBytes / 2 ** 20],
    ['| `auth` frame | # bytes', budgets.authFrameBytes.most],
    ['empty ones and repeated ones counted | # |', budgets.formPairs.most],
    ['| name of a parameter | # characters', budgets.parameterName.most],
    ['| head of a part of a multipart body | # bytes', budgets.partHead.most],
    ['of a JSON parameter or of a frame | # levels', budgets.jsonDepth.most],
    ['| values in a JSON parameter or in a frame | # |', budgets.jsonItems.most],
    ['| less than 20 ms | one for each # ms', budgets.pointMs.most],
    ['| less than 40,000 | one for each #', budgets.pointBytesIn.most],
    ['| less than 2,000,000 | one for each #', budgets.pointBytesOut.most],
  ],
  'docs/protocol/narrows.md': [
    ['at most # terms', budgets.narrowTerms.most],
    ['# characters in all operands', budgets.narrowCharacters.most],
    ['# characters and', budgets.searchCharacters.most],
    ['# phrases to search for', budgets.searchPhrases.most],
    ['reactions and edits have more than # bytes', budgets.answerBytes.most],
    ['at most # messages', limits.messages_per_fetch],
  ],
  'docs/protocol/names.md': [
    ['| of a person | 2 to # |', limits.user_full_name_length],
    ['| of a channel | 1 to # |', limits.max_stream_name_length],
    ['| of a user group | 1 to # |', limits.user_group_name_length],
    ['| of a channel folder | 1 to # |', limits.max_channel_folder_name_length],
    ['A topic that is longer than # is cut', limits.max_topic_length],
  ],
  'docs/protocol/permissions.md': [
    ['A conversation has at most # people', budgets.recipients.most],
    ['at most # invitations on one day', limits.invitation_mails_per_address],
  ],
  'docs/protocol/register.md': [
    ['the server collects the queue: # by default', limits.queue_idle_timeout_default_secs],
    ['# for the word `mobile`', limits.queue_idle_timeout_mobile_secs],
    ['at most #. The server takes 0', limits.queue_idle_timeout_max_secs],
    ['for channels of # subscribers or more', limits.partial_subscribers_full_below],
    ['at most # conversations', limits.recent_private_conversations_scanned],
    ['the newest # unread messages', limits.unread_messages_in_register],
    ['`server_presence_ping_interval_seconds` (#)', limits.presence_ping_interval_secs],
    ['`server_presence_offline_threshold_seconds` (#)', limits.presence_offline_threshold_secs],
  ],
  'docs/protocol/events.md': [
    ['`event_queue_longpoll_timeout_seconds` (#)', limits.event_queue_longpoll_timeout_seconds],
    ['holds more than # unacknowledged events', config.queueMaxEvents],
    ['to subscribers, if there are at most #', limits.typing_max_channel_subscribers],
    ['if they are at most #; in larger organizations', limits.presence_events_max_users],
  ],
  'docs/protocol/socket.md': [
    ['an `auth` frame of at most # bytes', budgets.authFrameBytes.most],
    ['at most # levels deep', budgets.jsonDepth.most],
    ['a frame holds at most # values', budgets.jsonItems.most],
    ['has at most # parameters', budgets.formPairs.most],
  ],
  'docs/protocol/files.md': [['At most # files of a message count', budgets.filesInMessage.most]],
  'docs/protocol/message-html.md': [
    ['more than # different addresses', budgets.addressesPreviewed.most],
    ['more than # bytes h', budgets.externalAddress.most],
    ['more than # bytes, is shown as it was typed', budgets.renderedBytes.most],
    ['together at most # bytes', budgets.slowPartBytes.most],
    ['bytes and # ms of a thread', budgets.slowPartsMs.most],
    ['formulas of # characters', budgets.formulaCharacters.most],
    ['A text with markup of more than #', budgets.quickCharacters.most],
  ],
  'docs/protocol/widgets.md': [['together have at most # bytes', budgets.submessageBytes.most]],
  'docs/users.md': [
    ['There are at most # fields', budgets.profileFields.most],
    ['a list of options has at most #.', budgets.profileOptions.most],
  ],
  'docs/linkifiers.md': [['at most # links', budgets.linkifierMatches.most]],
  'docs/operations.md': [['`QUEUE_MAX_EVENTS` (#)', config.queueMaxEvents]],
}

for (const [page, limitsOfPage] of Object.entries(phrases)) {
  t.test(`${page} gives the limits of the code`, async t => {
    const text = oneLine(readFileSync(page, 'utf8'))
    for (const [phrase, value] of limitsOfPage) {
      const shown = oneLine(phrase.replace('#', value.toLocaleString('en-US')))
      t.ok(text.includes(shown), `the page has: ${shown}`)
    }
  })
}

/** Lines are wrapped by their length, so a phrase may be on two. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
