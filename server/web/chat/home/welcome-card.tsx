import { createEffect, createResource, For, type JSX, on } from 'solid-js'
import { welcomeStep } from '../../../../shared/resources/onboarding-step.js'
import { language } from '../../language/language.js'
import { openSettingsTexts, st } from '../../language/settings-language.js'
import { Icon } from '../../look/icon.js'
import { type Arrival, greetingChannel, type WelcomeStep, welcomeSteps } from '../../state/welcome.js'
import { useChat } from '../chat.js'
import { useView } from '../view.js'
import './welcome.css'

/** The first steps of a user who has just come, each with a sign when it is done; until the user closes them. */
export function WelcomeCard(props: { arrival: Arrival }): JSX.Element {
  const chat = useChat()
  const hasInvited = createHasInvited(() => props.arrival)
  const hasWritten = createHasWritten(() => props.arrival)
  createEffect(on(language, () => void chat.attempt(openSettingsTexts), { defer: true }))
  const steps = () => welcomeSteps(chat.state, props.arrival, { hasInvited: hasInvited(), hasWritten: hasWritten() })
  const close = () =>
    chat.attempt(() => chat.ask('POST', '/users/me/onboarding_steps', { onboarding_step: welcomeStep }))
  return (
    <section class="welcome card" aria-labelledby="welcome-title">
      <header class="welcome-head">
        <div>
          <h2 id="welcome-title" dir="auto">
            {st('welcome.title', chat.state.realm_name)}
          </h2>
          <p class="quiet">{st(`welcome.says.${props.arrival}`)}</p>
        </div>
        <button type="button" class="icon-button" aria-label={st('welcome.close')} onClick={() => void close()}>
          <Icon name="close" />
        </button>
      </header>
      <ul class="rows">
        <For each={steps().map(({ step }) => step)}>
          {step => <Step step={step} isDone={steps().some(one => one.step === step && one.isDone)} />}
        </For>
      </ul>
    </section>
  )
}

function Step(props: { step: WelcomeStep; isDone: boolean }): JSX.Element {
  const begin = createBeginning()
  return (
    <li>
      <button type="button" class="row welcome-step" onClick={() => begin(props.step)}>
        <span class="welcome-sign" classList={{ done: props.isDone }}>
          {props.isDone && <Icon name="check" size={15} />}
        </span>
        <span class="welcome-words">
          <strong>{st(`welcome.steps.${props.step}.title`)}</strong>
          <small>{props.isDone ? st('welcome.done') : st(`welcome.steps.${props.step}.hint`)}</small>
        </span>
        <Icon name="forth" size={15} />
      </button>
    </li>
  )
}

/** Opens the place where a step is done. */
function createBeginning(): (step: WelcomeStep) => void {
  const chat = useChat()
  const view = useView()
  return step => {
    switch (step) {
      case 'channel':
        return view.open('create-channel')
      case 'invite':
        return view.openSettings({ about: 'organization', section: 'invitations' })
      case 'profile':
        return view.openSettings({ about: 'settings', section: 'profile' })
      case 'browse':
        return view.open('channels')
      case 'hello': {
        const channelId = greetingChannel(chat.state)
        if (channelId === undefined) return
        view.go({ kind: 'topic', channelId, topic: st('welcome.topic') })
        view.focusComposer()
      }
    }
  }
}

/** Whether an invitation of the founder is open. */
function createHasInvited(arrival: () => Arrival): () => boolean {
  const chat = useChat()
  const [open, { refetch }] = createResource(
    () => arrival() === 'founder',
    async () => ((await chat.ask('GET', '/invites')).invites as readonly unknown[]).length > 0,
  )
  createEffect(
    on(
      () => chat.state.invitationChanges,
      () => void refetch(),
      { defer: true },
    ),
  )
  return () => !open.error && open.latest === true
}

/** Whether the newcomer has written in a channel. */
function createHasWritten(arrival: () => Arrival): () => boolean {
  const chat = useChat()
  const [before] = createResource(
    () => arrival() === 'newcomer',
    async () => {
      const narrow = [
        { operator: 'sender', operand: chat.state.user_id },
        { operator: 'is', operand: 'dm', negated: true },
      ]
      const found = await chat.ask('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow })
      return (found.messages as readonly unknown[]).length > 0
    },
  )
  const isOwn = ({ sender_id, type }: { readonly sender_id: number; readonly type: string }) =>
    sender_id === chat.state.user_id && type === 'stream'
  return () => (!before.error && before.latest === true) || Object.values(chat.state.messages).some(isOwn)
}
