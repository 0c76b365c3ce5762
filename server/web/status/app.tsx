import { createEffect, createSignal, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { t } from '../language/language.js'
import { findSession, forgetSession, goToSignIn, readSession, watchSession } from '../sign-in/session.js'
import { Board } from './board.js'

/** The figures for owners and administrators. Without a session the page for signing in opens. */
export function App(): JSX.Element {
  const [account, setAccount] = createSignal<number>()
  const [isRefused, setRefused] = createSignal(false)
  createEffect(() => {
    document.title = t('status.page')
  })
  const look = async () => {
    const found = await findSession()
    setRefused(false)
    setAccount(found?.userId)
    if (!found) goToSignIn()
  }
  onCleanup(watchSession(() => readSession()?.userId !== account() && void look()))
  onMount(look)
  const signedOut = () => {
    forgetSession()
    goToSignIn('ended')
  }
  return (
    <Show when={account()} keyed>
      <Show when={!isRefused()} fallback={<p class="notice board">{t('status.refused')}</p>}>
        <Board signedOut={signedOut} refused={() => setRefused(true)} />
      </Show>
    </Show>
  )
}
