import { createResource, createSignal, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { createTheme } from '../look/theme.js'
import { forgetSession, readSession, type Session, watchSession } from '../sign-in/session.js'
import { SignIn } from '../sign-in/sign-in.js'
import { ChatContext } from './chat.js'
import { createChat } from './create-chat.js'
import { forgetDrafts } from './drafts.js'
import { KeptStore, noteStarting } from './kept/kept-state.js'
import { readStart, type Start } from './kept/start.js'
import { forgetOutboxes } from './outbox-store.js'
import { Shell } from './shell.js'
import { ThemeContext } from './theme-context.js'

/** The sign-in form without a session; with one the chat, created again for each session. */
export function App(): JSX.Element {
  const [session, setSession] = createSignal(readSession())
  const [reason, setReason] = createSignal<string>()
  const theme = createTheme()
  // What the browser keeps belongs to the account that is signed in.
  const tidy = () => {
    const account = session()
    if (account) forgetOutboxes(account.userId)
    else void new KeptStore(undefined).forget()
  }
  const enter = (next: Session | undefined) => {
    setSession(next)
    tidy()
  }
  const changedElsewhere = () => {
    const [next, now] = [readSession(), session()]
    // Another window has regenerated the key: the chat continues with the new one when the server rejects the former.
    if (next && next.userId === now?.userId) return
    forgetDrafts()
    enter(next)
  }
  onCleanup(watchSession(changedElsewhere))
  onMount(tidy)
  const signedOut = (why?: string) => {
    forgetSession()
    setReason(why)
    enter(undefined)
  }
  return (
    <ThemeContext.Provider value={theme}>
      <Show when={session()} keyed fallback={<SignIn reason={reason()} signedIn={enter} />}>
        {(given: Session) => {
          const [start] = createResource(() => readStart(given))
          return <Show when={start()}>{read => <SignedIn session={given} start={read()} signedOut={signedOut} />}</Show>
        }}
      </Show>
    </ThemeContext.Provider>
  )
}

function SignedIn(props: { session: Session; start: Start; signedOut(why?: string): void }): JSX.Element {
  if (props.start.kept) noteStarting(true)
  const chat = createChat(props.session, props.start, { signedOut: props.signedOut })
  onCleanup(() => void chat.client.close())
  onMount(() => noteStarting(false))
  return (
    <ChatContext.Provider value={chat}>
      <Shell />
    </ChatContext.Provider>
  )
}
