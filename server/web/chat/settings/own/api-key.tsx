import { createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { takesPasswords } from '../../../../../shared/resources/sign-in-methods.js'
import { t } from '../../../language/language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { fetchKey, replaceKey } from '../../../sign-in/session.js'
import { useChat } from '../../chat.js'
import { copyText } from '../../copy-text.js'

/** The key of the account for other programs. The page has none: the server gives it for the password, and it is shown until the panel closes. */
export function ApiKey(): JSX.Element {
  const chat = useChat()
  const id = createUniqueId()
  const { error, isBusy, attempt } = createAttempts()
  const [key, setKey] = createSignal('')
  const [result, setResult] = createSignal('')
  const fetchIt = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = event.currentTarget
    void attempt(async () => {
      setKey(await fetchKey(String(new FormData(form).get('password') ?? '')))
    })
  }
  const copy = async () => {
    const isCopied = await copyText(key())
    setResult(isCopied ? t('account.copied') : t('notice.noClipboard'))
  }
  const replace = () =>
    attempt(async () => {
      setKey(await replaceKey(chat.session, key()))
      setResult(t('account.keyReplaced'))
    })
  return (
    <section class="account-part">
      <h3 class="part-title">{t('account.apiKey')}</h3>
      <p class="quiet" id={id}>
        {t('account.apiKeyMeaning')}
      </p>
      <Show
        when={key()}
        fallback={
          <form class="account-key" onSubmit={fetchIt}>
            <input type="email" name="email" autocomplete="username" value={chat.session.email} readOnly hidden />
            <Show when={takesPasswords(chat.state.realm_authentication_methods)}>
              <input
                class="input"
                type="password"
                name="password"
                autocomplete="current-password"
                placeholder={t('account.password')}
                aria-label={t('account.passwordForKey')}
              />
            </Show>
            <button type="submit" class="button" disabled={isBusy()}>
              {t('account.showKey')}
            </button>
          </form>
        }
      >
        <div class="account-key">
          <input
            class="input"
            readOnly
            autocomplete="off"
            spellcheck={false}
            aria-label={t('account.apiKey')}
            aria-describedby={id}
            value={key()}
            onFocus={event => event.currentTarget.select()}
          />
          <button type="button" class="button" onClick={() => void copy()}>
            {t('account.copy')}
          </button>
          <button type="button" class="button" disabled={isBusy()} onClick={() => void replace()}>
            {t('account.replaceKey')}
          </button>
        </div>
      </Show>
      <p class="quiet" role="status">
        {result()}
      </p>
      <ErrorNotice text={error()} />
    </section>
  )
}
