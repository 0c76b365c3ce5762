import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { SureButton } from '../../look/sure-button.js'
import type { Message } from '../../state/chat-state.js'
import { whyNotDelete } from '../../state/message-rights.js'
import { holds } from '../../state/permissions.js'
import { reportedIn } from '../../state/reports.js'
import { type Chat, useChat } from '../chat.js'
import { toggleReaction } from '../emoji/toggle-reaction.js'
import { useView } from '../view.js'

const done = { emoji_name: 'check', emoji_code: '2705', reaction_type: 'unicode_emoji' }

/** What moderators do about a reported message. */
export function ReportTools(props: { report: Message }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const reported = () => reportedIn(props.report.content)
  const author = () => {
    const id = reported()?.authorId
    return id === chat.state.user_id ? undefined : id
  }
  const isDone = () => props.report.reactions.some(one => one.emoji_code === done.emoji_code)
  return (
    <Show when={reported()}>
      {about => (
        <fieldset class="report-tools" aria-label={t('report.tools')}>
          <button type="button" class="button" onClick={() => view.follow(about().link)}>
            {t('report.show')}
          </button>
          <Show when={mayDelete(chat, about().messageId)}>
            <SureButton
              title={t('report.delete')}
              sureTitle={t('message.reallyDelete')}
              work={() => chat.attempt(() => chat.ask('DELETE', `/messages/${about().messageId}`))}
            />
          </Show>
          <Show when={author()}>
            {id => (
              <button type="button" class="button" onClick={() => view.go({ kind: 'direct', key: String(id()) })}>
                {t('report.write')}
              </button>
            )}
          </Show>
          <button
            type="button"
            class="button"
            aria-pressed={isDone()}
            onClick={() => void toggleReaction(chat, props.report, done)}
          >
            {t('report.done')}
          </button>
        </fieldset>
      )}
    </Show>
  )
}

/** For a message that the page does not know, the permission of the organization decides. */
function mayDelete({ state, now }: Chat, messageId: number): boolean {
  const message = state.messages[messageId]
  return message
    ? whyNotDelete(state, message, now()) === undefined
    : holds(state, state.realm_can_delete_any_message_group)
}
