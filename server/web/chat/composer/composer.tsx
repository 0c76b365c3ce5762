import { createMemo, type JSX, Show, Suspense } from 'solid-js'
import type { Place } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { channelOf } from '../../state/channels.js'
import type { ChatState } from '../../state/chat-state.js'
import { whyNotWrite } from '../../state/message-rights.js'
import type { Narrow } from '../../state/narrow.js'
import { useChat } from '../chat.js'
import { later } from '../later.js'
import { conversationName, topicName } from '../names.js'
import { chosenId } from '../offer-list.js'
import { useView } from '../view.js'
import { createCodePaste } from './code-paste.js'
import { type Completion, createCompletion } from './completion.js'
import { CompletionList, listId } from './completion-list.js'
import { ComposerTools } from './composer-tools.js'
import { type Composing, composeByKey, createComposing } from './composing.js'
import { PasteOffer } from './paste-offer.js'
import { Preview } from './preview.js'
import { createTakingFiles } from './taking-files.js'

const AttachedFiles = later(async () => (await import('./attached-files.js')).AttachedFiles)

/**
 * The box for writing messages. Enter sends, Shift+Enter begins a new line, arrow up edits the user's last message. On a touch screen Enter
 * begins a new line, and the button sends.
 */
export function Composer(props: { narrow: Narrow }): JSX.Element {
  const chat = useChat()
  const view = useView()
  let element: HTMLTextAreaElement | undefined
  const box = () => element
  const completion = createCompletion(() => props.narrow, box)
  const paste = createCodePaste(box)
  const composing = createComposing(chat, view, () => props.narrow, box)
  const needsTopic = () => props.narrow.kind === 'channel'
  const obstacle = createMemo(() => whyNotWrite(chat.state, props.narrow))
  const changed = (words: string) => {
    composing.write(words)
    // A line that became a file has left the words.
    if (element && element.value !== composing.words()) element.value = composing.words()
    completion.look()
    paste.changed()
  }
  const isOpen = () => !obstacle() && (composing.place() !== undefined || needsTopic())
  const files = createTakingFiles(
    chosen => void view.attaching.add([...chosen], composing.address()),
    () => isOpen() && !view.dialog(),
    view.isBeside,
  )
  const hasFiles = () => composing.files().length + view.attaching.uploads(composing.address()).length > 0
  const label = () => labelOf(chat.state, props.narrow, composing.place())
  return (
    <Show when={isOpen()} fallback={<NotHere obstacle={obstacle()} />}>
      <Show when={files.isOver()}>
        <p class="drop-here">
          <Icon name="clip" size={28} />
          {t('composer.dropHere', label())}
        </p>
      </Show>
      <form
        class="composer card"
        onPaste={event => !files.paste(event) && event.target === element && paste.pasted(event)}
        onSubmit={event => {
          event.preventDefault()
          composing.send()
        }}
      >
        <CompletionList completion={completion} />
        <Show when={needsTopic()}>
          <TopicInput topic={composing.topic()} change={composing.setTopic} />
        </Show>
        <Show when={hasFiles()}>
          <Suspense>
            <AttachedFiles composing={composing} />
          </Suspense>
        </Show>
        <Show when={composing.isPreview()}>
          <Preview content={composing.text().trim()} />
        </Show>
        <TextBox
          label={label()}
          composing={composing}
          completion={completion}
          made={given => {
            element = given
            view.composer = given
          }}
          changed={changed}
        />
        <PasteOffer paste={paste} />
        <ComposerTools box={box} composing={composing} takeFiles={files.take} />
      </form>
    </Show>
  )
}

interface TextBoxProps {
  readonly label: string
  readonly composing: Composing
  readonly completion: Completion
  made(element: HTMLTextAreaElement): void
  changed(text: string): void
}

function TextBox(props: TextBoxProps): JSX.Element {
  const chat = useChat()
  const view = useView()
  const keys = (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
    if (event.isComposing || props.completion.key(event)) return
    composeByKey(chat, view, props.composing, event)
  }
  return (
    <textarea
      class="composer-text"
      classList={{ gone: props.composing.isPreview() }}
      dir="auto"
      rows={1}
      aria-label={props.label}
      placeholder={props.label}
      aria-autocomplete="list"
      aria-controls={props.completion.isOpen() ? listId : undefined}
      aria-activedescendant={props.completion.isOpen() ? chosenId(listId, props.completion.choosing) : undefined}
      ref={element => props.made(element)}
      value={props.composing.words()}
      onInput={event => props.changed(event.currentTarget.value)}
      onClick={props.completion.look}
      onBlur={props.completion.close}
      onKeyDown={keys}
    />
  )
}

/** Names the recipient of the text, as the label of the box. */
function labelOf(state: ChatState, narrow: Narrow, to: Place | undefined): string {
  if (to) return t('composer.to', 'direct' in to ? conversationName(state, to.direct) : topicName(state, to.topic))
  const channelId = narrow.kind === 'channel' ? narrow.channelId : -1
  return t('composer.toChannel', channelOf(state, channelId)?.name ?? '')
}

function TopicInput(props: { topic: string; change(topic: string): void }): JSX.Element {
  return (
    <input
      class="composer-topic"
      dir="auto"
      aria-label={t('composer.topic')}
      placeholder={t('composer.newTopic')}
      maxLength={60}
      value={props.topic}
      onInput={event => props.change(event.currentTarget.value)}
    />
  )
}

/** Why the user cannot write here. */
function NotHere(props: { obstacle: ReturnType<typeof whyNotWrite> }): JSX.Element {
  return (
    <Show when={props.obstacle} fallback={<NowhereToWrite />}>
      {obstacle => <p class="nowhere">{t(`composer.obstacle.${obstacle()}`)}</p>}
    </Show>
  )
}

function NowhereToWrite(): JSX.Element {
  const view = useView()
  return (
    <p class="nowhere">
      {t('composer.nowhere')}
      <button type="button" class="button" onClick={() => view.open('new-topic')}>
        {t('composer.newTopic')}
      </button>
      <button type="button" class="button" onClick={() => view.open('new-direct')}>
        {t('composer.direct')}
      </button>
    </p>
  )
}
