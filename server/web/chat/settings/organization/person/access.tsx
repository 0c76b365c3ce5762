import { createSignal, type JSX, Show } from 'solid-js'
import { accessObstacle } from '../../../../../../shared/resources/account-rights.js'
import { st } from '../../../../language/settings-language.js'
import { createAttempts } from '../../../../look/attempts.js'
import { ErrorNotice } from '../../../../look/error-notice.js'
import { SureButton } from '../../../../look/sure-button.js'
import { accountChange } from '../../../../state/organization-people.js'
import { useChat } from '../../../chat.js'
import { CopiedText } from '../../../dialogs/copied-text.js'
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
        <Removal
          path={`${pathOf(props)}/sessions`}
          title={st('people.endSessions')}
          sureTitle={st('people.reallyEndSessions')}
          meaning={st('people.sessionsMeaning')}
          done={st('people.sessionsEnded')}
        />
        <Removal
          path={`${pathOf(props)}/factors`}
          title={st('people.removeFactors')}
          sureTitle={st('people.reallyRemoveFactors')}
          meaning={st('people.factorsMeaning')}
          done={st('people.factorsRemoved')}
        />
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

interface RemovalProps {
  /** What is deleted. */
  readonly path: string
  readonly title: string
  readonly sureTitle: string
  readonly meaning: string
  readonly done: string
}

function Removal(props: RemovalProps): JSX.Element {
  const chat = useChat()
  const { error, attempt } = createAttempts()
  const [isDone, setDone] = createSignal(false)
  const remove = async () => {
    setDone(false)
    setDone(await attempt(() => chat.ask('DELETE', props.path)))
  }
  return (
    <>
      <p>
        <SureButton title={props.title} sureTitle={props.sureTitle} work={() => void remove()} />
      </p>
      <p class="quiet" role="status">
        {isDone() ? props.done : props.meaning}
      </p>
      <ErrorNotice text={error()} />
    </>
  )
}
