import type { JSX } from 'solid-js'
import { st } from '../../../language/settings-language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'

/** A secret that the server has made for an authenticator app. */
export interface NewApp {
  readonly secret: string
  readonly qr: { readonly size: number; readonly path: string }
  readonly setup: string
}

/** Shows the secret to an app, and asks for the first code. */
export function AppSetUp(props: {
  readonly app: NewApp
  readonly onCode: (code: string) => Promise<void>
}): JSX.Element {
  const { error, isBusy, attempt } = createAttempts()
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code') ?? '')
    if (!isBusy()) void attempt(() => props.onCode(code))
  }
  return (
    <form class="factor-set-up" onSubmit={submit}>
      <p>{st('factors.scan')}</p>
      <svg
        class="factor-qr"
        viewBox={`0 0 ${props.app.qr.size} ${props.app.qr.size}`}
        role="img"
        aria-label={st('factors.qrCode')}
        shape-rendering="crispEdges"
      >
        <path d={props.app.qr.path} />
      </svg>
      <p class="quiet">
        {st('factors.secret')} <code>{props.app.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
      </p>
      <label class="field">
        {st('factors.code')}
        <input class="input" name="code" inputmode="numeric" autocomplete="one-time-code" required maxLength={10} />
      </label>
      <ErrorNotice text={error()} />
      <div class="account-done">
        <button type="submit" class="button primary" disabled={isBusy()}>
          {st('factors.confirm')}
        </button>
      </div>
    </form>
  )
}
