import { createResource, createSignal, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { createTheme } from '../look/theme.js'
import {
  endSession,
  findSession,
  forgetSession,
  goToSignIn,
  readSession,
  type Session,
  watchSession,
} from '../sign-in/session.js'
import { ChatContext } from './chat.js'
import { createChat } from './create-chat.js'
import { forgetDrafts } from './drafts.js'
import { KeptStore, noteStarting } from './kept/kept-state.js'
import { readStart, type Start } from './kept/start.js'
import { forgetOutboxes } from './outbox-store.js'
import { Shell } from './shell.js'
import { ThemeContext } from './theme-context.js'

/** The chat of the account whose session the browser has, created again for each account; without one the page for signing in opens. */
export function App(): JSX.Element {
  const [session, setSession] = createSignal<Session>()
  const theme = createTheme()
  const enter = (account: Session) => {
    // What the browser keeps belongs to the account that is signed in.
    forgetOutboxes(account.userId)
    setSession(account)
  }
  /** `ended`: the server has ended the session; `none`: there was none; otherwise the user signs out. */
  const leave = async (why?: 'ended' | 'none') => {
    forgetSession()
    setSession(undefined)
    await new KeptStore(undefined).forget()
    if (!why) await endSession()
    goToSignIn(why === 'ended' ? why : undefined)
  }
  const changedElsewhere = () => {
    const next = readSession()
    if (next && next.userId === session()?.userId) return
    forgetDrafts()
    if (next) enter(next)
    else void leave('ended')
  }
  onCleanup(watchSession(changedElsewhere))
  onMount(() => void findSession().then(found => (found ? enter(found) : leave('none'))))
  return (
    <ThemeContext.Provider value={theme}>
      <Show when={session()} keyed>
        {(given: Session) => {
          const [start] = createResource(() => readStart(given))
          return <Show when={start()}>{read => <SignedIn session={given} start={read()} left={leave} />}</Show>
        }}
      </Show>
    </ThemeContext.Provider>
  )
}

function SignedIn(props: { session: Session; start: Start; left(why?: 'ended'): void }): JSX.Element {
  if (props.start.kept) noteStarting(true)
  const chat = createChat(props.session, props.start, { signedOut: props.left })
  onCleanup(() => void chat.client.close())
  onMount(() => noteStarting(false))
  return (
    <ChatContext.Provider value={chat}>
      <Shell />
    </ChatContext.Provider>
  )
}
