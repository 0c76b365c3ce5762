import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { forgetSession, readSession, type Session, watchSession } from '../look/session.js'
import { SignIn } from '../look/sign-in.js'
import { createTheme } from '../look/theme.js'
import { ChatContext } from './chat.js'
import { createChat } from './create-chat.js'
import { Shell } from './shell.js'
import { ThemeContext } from './theme-context.js'

/** The sign-in form without a session; with one the chat, created again for each session. */
export function App(): JSX.Element {
  const [session, setSession] = createSignal(readSession())
  const [reason, setReason] = createSignal<string>()
  const theme = createTheme()
  onCleanup(watchSession(() => setSession(readSession())))
  const signedOut = (why?: string) => {
    forgetSession()
    setReason(why)
    setSession(undefined)
  }
  return (
    <ThemeContext.Provider value={theme}>
      <Show when={session()} keyed fallback={<SignIn reason={reason()} signedIn={setSession} />}>
        {(given: Session) => {
          const chat = createChat(given, { signedOut })
          onCleanup(() => void chat.client.close())
          return (
            <ChatContext.Provider value={chat}>
              <Shell />
            </ChatContext.Provider>
          )
        }}
      </Show>
    </ThemeContext.Provider>
  )
}
