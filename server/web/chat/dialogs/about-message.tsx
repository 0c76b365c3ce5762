import { createEffect, createResource, For, type JSX, Show } from 'solid-js'
import type { MessageSnapshot } from '../../../../shared/resources/message.js'
import { t } from '../../language/language.js'
import { useChat } from '../chat.js'
import { markupOf, readerOf } from '../markup.js'
import { dateText } from '../moment-text.js'
import { nameOf } from '../names.js'
import type { About } from '../view.js'
import { Dialog } from './dialog.js'

/** Who has read a message, and how it changed. */
export function AboutMessage(props: About<'aboutMessage'>): JSX.Element {
  const chat = useChat()
  const [readers] = createResource(
    () => props.about.aboutMessage,
    async id => (await chat.ask('GET', `/messages/${id}/read_receipts`)).user_ids as number[],
  )
  const [history] = createResource(
    () => props.about.aboutMessage,
    async id => {
      const answer = await chat.ask('GET', `/messages/${id}/history`, { allow_empty_topic_name: true })
      return answer.message_history as MessageSnapshot[]
    },
  )
  return (
    <Dialog title={t('about.title')}>
      <section aria-label={t('about.readBy')}>
        <h3 class="part-title">{t('about.readBy')}</h3>
        <Show when={!readers.error} fallback={<p class="quiet">{(readers.error as Error).message}</p>}>
          <ul class="choices">
            <For each={readers()} fallback={<li class="quiet">{readers.loading ? '' : t('about.noReader')}</li>}>
              {id => <li dir="auto">{nameOf(chat.state, id)}</li>}
            </For>
          </ul>
        </Show>
      </section>
      <section aria-label={t('about.changes')}>
        <h3 class="part-title">{t('about.changes')}</h3>
        <Show when={!history.error} fallback={<p class="quiet">{(history.error as Error).message}</p>}>
          <ol class="choices">
            <For each={history()?.toReversed()}>{state => <State state={state} />}</For>
          </ol>
        </Show>
      </section>
    </Dialog>
  )
}

function State(props: { state: MessageSnapshot }): JSX.Element {
  const chat = useChat()
  const time = () => new Date(props.state.timestamp * 1000)
  const topic = () => props.state.topic || chat.state.realm_empty_topic_display_name
  const words = () => {
    const who = props.state.user_id === null ? '' : nameOf(chat.state, props.state.user_id)
    const at = dateText(chat.state, time().getTime())
    return props.state.prev_topic === undefined ? t('about.change', who, at) : t('about.moved', who, at, topic())
  }
  let place: HTMLDivElement | undefined
  createEffect(() => {
    const html = props.state.content_html_diff ?? props.state.rendered_content
    place?.replaceChildren(markupOf(html, readerOf(chat)))
  })
  return (
    <li class="message-state">
      <p class="quiet">
        <time dateTime={time().toISOString()}>{words()}</time>
      </p>
      <div class="content" dir="auto" ref={place} />
    </li>
  )
}
