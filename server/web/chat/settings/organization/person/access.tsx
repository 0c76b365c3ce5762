import { createSignal, type JSX, Show } from 'solid-js'
import { accessObstacle } from '../../../../../../shared/resources/account-rights.js'
import { st } from '../../../../language/settings-language.js'
import { createAttempts } from '../../../../look/attempts.js'
import { ErrorNotice } from '../../../../look/error-notice.js'
import { SureButton } from '../../../../look/sure-button.js'
import { accountChange } from '../../../../state/organization-people.js'
import { useChat } from '../../../chat.js'
import { CopiedText } from '../../copied-text.js'
import { pathOf, type Whose } from './whose.js'

/** How the person signs in: what an administrator does after a lost password or a lost device. */
export function Access(props: Whose): JSX.Element {
  const chat = useChat()
  const obstacle = () => accessObstacle(accountChange(chat.state, props.userId))
  return (
    <fieldset class="group settings-part">
      <legend>{st('people.access')}</legend>
      <Show when={!obstacle()} fallback={<p class="quiet">{st(`people.obstacle.${obstacle() ?? 'owner'}`)}</p>}>
        <Show when={chat.state.realm_email_auth_enabled}>
          <PasswordReset userId={props.userId} />
        </Show>
        <SessionsEnd userId={props.userId} />
      </Show>
    </fieldset>
  )
}

/** Mails the link for a new password; without a mail server it is shown. */
function PasswordReset(props: Whose): JSX.Element {
  const chat = useChat()
  const { error, isBusy, attempt } = createAttempts()
  const [link, setLink] = createSignal<string | null>()
  const send = () =>
    attempt(async () => {
      setLink((await chat.ask('POST', `${pathOf(props)}/password_reset`)).link as string | null)
    })
  return (
    <>
      <p>
        <button type="button" class="button" disabled={isBusy()} onClick={() => void send()}>
          {st('people.resetPassword')}
        </button>
      </p>
      <p class="quiet" role="status">
        {link() === undefined
          ? st('people.resetMeaning')
          : link() === null
            ? st('people.resetMailed')
            : st('people.resetLink')}
      </p>
      <Show when={link()}>{text => <CopiedText label={st('people.link')} text={text()} />}</Show>
      <ErrorNotice text={error()} />
    </>
  )
}

function SessionsEnd(props: Whose): JSX.Element {
  const chat = useChat()
  const { error, attempt } = createAttempts()
  const [isDone, setDone] = createSignal(false)
  const end = () =>
    attempt(async () => {
      await chat.ask('DELETE', `${pathOf(props)}/sessions`)
      setDone(true)
    })
  return (
    <>
      <p>
        <SureButton
          title={st('people.endSessions')}
          sureTitle={st('people.reallyEndSessions')}
          work={() => void end()}
        />
      </p>
      <p class="quiet" role="status">
        {isDone() ? st('people.sessionsEnded') : st('people.sessionsMeaning')}
      </p>
      <ErrorNotice text={error()} />
    </>
  )
}
