import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import type { JumpPlace } from '../../state/jump.js'
import { ConversationFaces } from '../avatar.js'
import { ChannelSign } from '../channel-sign.js'
import { useChat } from '../chat.js'
import { usePlaceDeeds } from '../feed/place-deeds.js'
import { chosenId, OfferList } from '../offer-list.js'
import { useTheme } from '../theme-context.js'
import { useView } from '../view.js'
import { commandsFor } from './commands.js'
import { Dialog } from './dialog.js'
import { createJumping, forwardTo, type JumpChoice } from './jumping.js'
import './jump.css'

const listId = 'jump-choices'

/** Goes to a channel, a topic, a person, a setting, or runs a command, by its name. With `forward`: writes there with quotes of these messages. */
export function Jump(props: { forward?: readonly number[] }): JSX.Element {
  const chat = useChat()
  const view = useView()
  // The messages are quoted after the dialog has closed.
  const { forward } = props
  const commands = useCommands()
  const { choosing, typed } = createJumping(chat, view, forward ? undefined : commands, place =>
    forward ? forwardTo(chat, view, forward, place) : view.go(place.narrow),
  )
  // What cannot be undone is asked once more.
  const [asked, ask] = createSignal<string>()
  const nameOf = ({ title, hint }: JumpChoice) => `${title}\n${hint ?? ''}`
  /** With Alt, a place opens beside the open view. */
  const run = (choice: JumpChoice, isBeside = false) => {
    if (choice.sure && asked() !== nameOf(choice)) return ask(nameOf(choice))
    view.open(undefined)
    // After the dialog has given the focus back.
    queueMicrotask(() => {
      const narrow = isBeside && !forward ? choice.place?.narrow : undefined
      if (narrow && view.mayOpenBeside(narrow)) view.openBeside(narrow)
      else void chat.attempt(choice.work)
    })
  }
  const keys = (event: KeyboardEvent) => {
    const chosen = choosing.chosen()
    if (event.key === 'Enter' && !event.isComposing) {
      if (chosen) run(chosen, event.altKey)
    } else if (!choosing.step(event)) return
    event.preventDefault()
  }
  return (
    <Dialog title={props.forward === undefined ? t('jump.title') : t('jump.forward')} class="jump">
      <input
        class="input"
        type="search"
        role="combobox"
        aria-label={t('jump.label')}
        dir="auto"
        placeholder={t('jump.placeholder')}
        aria-autocomplete="list"
        aria-expanded={choosing.offers().length > 0}
        aria-controls={listId}
        aria-activedescendant={chosenId(listId, choosing)}
        maxLength={200}
        autofocus
        onInput={event => typed(event.currentTarget.value)}
        onKeyDown={keys}
      />
      <p class="quiet">
        <kbd>{t('jump.example')}</kbd> {t('jump.exampleMeaning')}
      </p>
      <OfferList
        id={listId}
        class="jump-choices"
        label={t('jump.choices')}
        choosing={choosing}
        take={choice => run(choice)}
      >
        {choice => <Choice choice={choice} isSure={asked() === nameOf(choice)} hasKeys={view.singleKeys.areOn()} />}
      </OfferList>
      <Show when={choosing.offers().length === 0}>
        <p class="quiet">{t('jump.nothing')}</p>
      </Show>
    </Dialog>
  )
}

/** The commands, on the message that had the focus when the dialog opened, too. */
function useCommands() {
  const chat = useChat()
  const view = useView()
  const theme = useTheme()
  const deedsOf = usePlaceDeeds()
  const id = document.activeElement?.closest<HTMLElement>('[data-message-id]')?.dataset.messageId
  return () => {
    const narrow = view.narrow()
    const placeDeeds = narrow ? deedsOf(narrow) : []
    return commandsFor(chat, view, { theme, placeDeeds, message: chat.state.messages[Number(id)] })
  }
}

function Choice(props: { choice: JumpChoice; isSure: boolean; hasKeys: boolean }): JSX.Element {
  return (
    <>
      <span class="offer-sign">
        <Show when={props.choice.place} fallback={<Icon name={props.choice.icon ?? 'all'} />}>
          {place => <Sign place={place()} />}
        </Show>
      </span>
      <span class="row-name" classList={{ danger: props.choice.sure !== undefined }} dir="auto">
        {(props.isSure && props.choice.sure) || props.choice.title}
      </span>
      <span class="offer-hint" dir="auto">
        {props.choice.hint}
      </span>
      <Show when={props.hasKeys && props.choice.key}>{key => <kbd>{key()}</kbd>}</Show>
    </>
  )
}

function Sign(props: { place: JumpPlace }): JSX.Element {
  const channel = () => ('channelId' in props.place.narrow ? props.place.narrow : undefined)
  return (
    <Show
      when={channel()}
      fallback={<ConversationFaces of={'key' in props.place.narrow ? props.place.narrow.key : ''} />}
    >
      {narrow => (
        <Show when={narrow().kind === 'channel'} fallback={<Icon name="topic" />}>
          <ChannelSign id={narrow().channelId} />
        </Show>
      )}
    </Show>
  )
}
