import { createEffect, createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { limits } from '../../../../shared/limits.js'
import { listText } from '../../language/format.js'
import { t } from '../../language/language.js'
import { createAttempts } from '../../look/attempts.js'
import { ErrorNotice } from '../../look/error-notice.js'
import { channelOf, channelsInOrder } from '../../state/channels.js'
import { audienceOfMove } from '../../state/move.js'
import { findTopics } from '../../state/topics.js'
import { type Chat, useChat } from '../chat.js'
import { type Move, type MovedPart, moveMessages, newestMessageOf } from '../move-messages.js'
import { channelName, nameOf, topicName } from '../names.js'
import { keepMembers } from '../people/members.js'
import { fetchTopics } from '../topics.js'
import { type About, type MovedPlace, useView } from '../view.js'
import { Dialog } from './dialog.js'

const topicsAtMost = 50
const namesAtMost = 12

const parts: readonly MovedPart[] = ['change_one', 'change_later', 'change_all']

/** What the form says of a move. @throws {RequestError} @throws {Error} if the topic has no messages */
async function moveOf(chat: Chat, from: MovedPlace, channelId: number, form: FormData): Promise<Move> {
  const topic = String(form.get('topic')).trim()
  const messageId = from.messageId ?? (await newestMessageOf(chat, from.channelId, from.topic))
  if (messageId === undefined) throw new Error(t('move.noMessages'))
  return {
    messageId,
    part: (form.get('part') ?? 'change_all') as MovedPart,
    ...(topic !== from.topic && { topic }),
    ...(channelId !== from.channelId && { channelId }),
    tellsOldPlace: form.get('old') === 'on',
    tellsNewPlace: form.get('new') === 'on',
  }
}

/** Moves messages to another topic or channel, and shows before who will see them. */
export function MoveMessages(props: About<'move'>): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [channelId, setChannel] = createSignal(props.about.move.channelId)
  const [topicsError, setTopicsError] = createSignal('')
  const { error, isBusy, attempt } = createAttempts()
  createEffect(() => {
    fetchTopics(chat, channelId()).catch(failure => setTopicsError((failure as Error).message))
  })
  const move = async (form: FormData) => {
    const made = await moveOf(chat, props.about.move, channelId(), form)
    await moveMessages(chat, made)
    const topic = made.topic ?? props.about.move.topic
    view.open(undefined)
    view.go({ kind: 'topic', channelId: channelId(), topic })
  }
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setTopicsError('')
    void attempt(() => move(form))
  }
  return (
    <Dialog title={props.about.move.messageId === undefined ? t('move.topicTitle') : t('move.messagesTitle')}>
      <form class="dialog-form" onSubmit={submit}>
        <Show when={props.about.move.messageId !== undefined}>
          <label class="field">
            {t('move.what')}
            <select class="input" name="part">
              <For each={parts}>{part => <option value={part}>{t(`move.part.${part}`)}</option>}</For>
            </select>
          </label>
        </Show>
        <Target from={props.about.move} channelId={channelId()} choose={setChannel} />
        <fieldset class="group">
          <legend>{t('move.notices')}</legend>
          <label class="check">
            <input type="checkbox" name="old" /> {t('move.inOld')}
          </label>
          <label class="check">
            <input type="checkbox" name="new" checked /> {t('move.inNew')}
          </label>
        </fieldset>
        <Audience from={props.about.move.channelId} to={channelId()} />
        <ErrorNotice text={error() || topicsError()} />
        <button type="submit" class="button primary" disabled={isBusy()}>
          {t('move.submit')}
        </button>
      </form>
    </Dialog>
  )
}

/** The channel and the topic to which the messages go. */
function Target(props: { from: MovedPlace; channelId: number; choose(channelId: number): void }): JSX.Element {
  const chat = useChat()
  const channels = () => [...new Set([props.from.channelId, ...channelsInOrder(chat.state)])]
  const topics = createMemo(() => findTopics(chat.state, props.channelId, '').slice(0, topicsAtMost))
  return (
    <>
      <label class="field">
        {t('move.toChannel')}
        <select class="input" onChange={event => props.choose(Number(event.currentTarget.value))}>
          <For each={channels()}>
            {id => (
              <option value={id} selected={id === props.from.channelId}>
                {channelName(chat.state, id)}
              </option>
            )}
          </For>
        </select>
      </label>
      <label class="field">
        {t('move.toTopic')}
        <input
          class="input"
          dir="auto"
          name="topic"
          list="topics-of-target"
          autocomplete="off"
          maxLength={limits.max_topic_length}
          value={props.from.topic}
          placeholder={topicName(chat.state, '')}
        />
        <datalist id="topics-of-target">
          <For each={topics()}>{topic => <option value={topic.name} />}</For>
        </datalist>
      </label>
    </>
  )
}

/** Who will see the moved messages, and who no longer. */
function Audience(props: { from: number; to: number }): JSX.Element {
  const chat = useChat()
  const oldError = keepMembers(chat, () => props.from)
  const newError = keepMembers(chat, () => props.to)
  const audience = () => audienceOfMove(chat.state, props.from, props.to)
  const names = (ids: readonly number[]): string => {
    const shown = ids.slice(0, namesAtMost).map(id => nameOf(chat.state, id))
    const more = ids.length - shown.length
    return listText(more > 0 ? [...shown, t('move.andMore', more)] : shown, 'and')
  }
  const target = () => channelOf(chat.state, props.to)?.name ?? ''
  return (
    <section class="notice" aria-label={t('move.audience')} aria-live="polite">
      <Show when={audience()}>
        {seen => (
          <>
            <p>
              {seen().isPublic
                ? t('move.publicTo', target(), seen().subscribers)
                : t('move.privateTo', target(), seen().subscribers)}
            </p>
            <Show when={props.from !== props.to}>
              <Show when={seen().gained?.length}>
                <p>{t('move.gained', names(seen().gained ?? []))}</p>
              </Show>
              <Show when={seen().lost?.length}>
                <p>{t('move.lost', names(seen().lost ?? []))}</p>
              </Show>
            </Show>
          </>
        )}
      </Show>
      <Show when={oldError() || newError()}>{words => <p>{words()}</p>}</Show>
    </section>
  )
}
