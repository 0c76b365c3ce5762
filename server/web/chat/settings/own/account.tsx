import { createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { t } from '../../../language/language.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { useChat } from '../../chat.js'
import { copyText } from '../../copy-text.js'
import { PasswordChange } from './password-change.js'

/** How the user signs in. */
export function Account(): JSX.Element {
  const chat = useChat()
  return (
    <>
      <Show when={chat.state.realm_email_auth_enabled}>
        <PasswordChange />
      </Show>
      <ApiKey />
      <Sessions />
    </>
  )
}

function ApiKey(): JSX.Element {
  const chat = useChat()
  const id = createUniqueId()
  const [isShown, setShown] = createSignal(false)
  const [result, setResult] = createSignal('')
  const copy = async () => {
    const isCopied = await copyText(chat.session.apiKey)
    setResult(isCopied ? t('account.copied') : t('notice.noClipboard'))
  }
  return (
    <section class="account-part">
      <h3 class="part-title">{t('account.apiKey')}</h3>
      <p class="quiet" id={id}>
        {t('account.apiKeyMeaning')}
      </p>
      <div class="account-key">
        <input
          class="input"
          type={isShown() ? 'text' : 'password'}
          readOnly
          autocomplete="off"
          spellcheck={false}
          aria-label={t('account.apiKey')}
          aria-describedby={id}
          value={chat.session.apiKey}
          onFocus={event => event.currentTarget.select()}
        />
        <button type="button" class="button" aria-pressed={isShown()} onClick={() => setShown(!isShown())}>
          {isShown() ? t('account.hide') : t('account.show')}
        </button>
        <button type="button" class="button" onClick={() => void copy()}>
          {t('account.copy')}
        </button>
      </div>
      <p class="quiet" role="status">
        {result()}
      </p>
    </section>
  )
}

type Step = 'offer' | 'confirm' | 'busy' | 'done'

/** A new API key ends all other sessions, because each of them uses the key of the account. */
function Sessions(): JSX.Element {
  const chat = useChat()
  const [step, setStep] = createSignal<Step>('offer')
  const [error, setError] = createSignal('')
  let cancel: HTMLButtonElement | undefined
  const ask = () => {
    setError('')
    setStep('confirm')
    cancel?.focus()
  }
  const renew = async () => {
    setStep('busy')
    try {
      await chat.renewKey()
      setStep('done')
    } catch (failure) {
      setError((failure as Error).message)
      setStep('offer')
    }
  }
  return (
    <section class="account-part">
      <h3 class="part-title">{t('account.sessions')}</h3>
      <Show
        when={step() === 'confirm' || step() === 'busy'}
        fallback={
          <>
            <p class="quiet">{t('account.sessionsMeaning')}</p>
            <p>
              <button type="button" class="button" onClick={ask}>
                {t('account.signOutElsewhere')}
              </button>
            </p>
          </>
        }
      >
        <Confirmation
          isBusy={step() === 'busy'}
          made={element => {
            cancel = element
          }}
          renew={renew}
          cancel={() => setStep('offer')}
        />
      </Show>
      <p role="status">{step() === 'done' ? t('account.signedOutElsewhere') : ''}</p>
      <ErrorNotice text={error()} />
    </section>
  )
}

interface ConfirmationProps {
  readonly isBusy: boolean
  /** The button that cancels. */
  made(cancel: HTMLButtonElement): void
  renew(): unknown
  cancel(): void
}

function Confirmation(props: ConfirmationProps): JSX.Element {
  const id = createUniqueId()
  return (
    <div class="notice account-part">
      <p id={id}>{t('account.confirm')}</p>
      <div class="dialog-bar">
        <button
          type="button"
          class="button danger"
          aria-describedby={id}
          disabled={props.isBusy}
          onClick={() => props.renew()}
        >
          {t('account.signOutNow')}
        </button>
        <button
          type="button"
          class="button"
          ref={element => props.made(element)}
          aria-describedby={id}
          disabled={props.isBusy}
          onClick={() => props.cancel()}
        >
          {t('words.cancel')}
        </button>
      </div>
    </div>
  )
}
