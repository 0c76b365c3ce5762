import { createResource, createSignal, type JSX, Show } from 'solid-js'
import { st } from '../../../language/settings-language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { useChat } from '../../chat.js'
import { AppSetUp, type NewApp } from './app-set-up.js'
import { type ListedPasskey, Passkeys } from './passkeys.js'
import { RecoveryCodes } from './recovery-codes.js'

/** As `GET /users/me/factors` answers; times in UNIX seconds. */
interface Factors {
  readonly app: { readonly created: number } | null
  readonly passkeys: readonly ListedPasskey[]
  readonly recovery_codes: number
  readonly passkeys_possible: boolean
}

const place = '/users/me/factors'

/** What the user shows beside the password: the list, and how it changes. Each change but a passkey's new name asks for the password. */
export function SecondFactors(): JSX.Element {
  const chat = useChat()
  const { error, isBusy, attempt } = createAttempts()
  const [factors, { refetch }] = createResource(async () => (await chat.ask('GET', place)) as unknown as Factors)
  const [setUp, setSetUp] = createSignal<NewApp>()
  const [codes, setCodes] = createSignal<readonly string[]>([])
  let password!: HTMLInputElement
  const changeWithoutProof = (work: () => Promise<unknown>) => {
    if (!isBusy())
      void attempt(async () => {
        await work()
        await refetch()
      })
  }
  const change = (work: (proof: string) => Promise<unknown>) =>
    changeWithoutProof(async () => {
      const { proof } = await chat.ask('POST', `${place}/proof`, { password: password.value })
      await work(String(proof))
    })
  const show = (given: unknown) => setCodes(given as string[])
  const renewCodes = async (proof: string) =>
    show((await chat.ask('POST', `${place}/recovery_codes`, { proof })).recovery_codes)
  const hasAny = () =>
    factors.latest !== undefined && (factors.latest.app !== null || factors.latest.passkeys.length > 0)
  return (
    <section class="account-part">
      <h3 class="part-title">{st('factors.title')}</h3>
      <p class="quiet">{st('factors.meaning')}</p>
      <Show
        when={!factors.error && factors.latest}
        fallback={<ErrorNotice text={(factors.error as Error | undefined)?.message} />}
      >
        {known => (
          <>
            <label class="field">
              {st('factors.password')}
              <input class="input" type="password" autocomplete="current-password" ref={password} />
            </label>
            <ErrorNotice text={error()} />
            <Passkeys
              passkeys={known().passkeys}
              isPossible={known().passkeys_possible}
              isBusy={isBusy()}
              change={change}
              changeWithoutProof={changeWithoutProof}
              onCodes={show}
            />
            <AppRow
              hasApp={known().app !== null}
              isBusy={isBusy()}
              add={() =>
                change(async proof => {
                  setSetUp((await chat.ask('POST', `${place}/app/setup`, { proof })) as unknown as NewApp)
                })
              }
              remove={() => change(proof => chat.ask('DELETE', `${place}/app`, { proof }))}
            />
            <Show when={setUp()}>
              {app => (
                <AppSetUp
                  app={app()}
                  onCode={async code => {
                    const { recovery_codes } = await chat.ask('POST', `${place}/app`, { setup: app().setup, code })
                    setSetUp(undefined)
                    show(recovery_codes)
                    await refetch()
                  }}
                />
              )}
            </Show>
            <Show when={hasAny()}>
              <CodesRow left={known().recovery_codes} isBusy={isBusy()} renew={() => change(renewCodes)} />
            </Show>
            <Show when={codes().length > 0}>
              <RecoveryCodes codes={codes()} />
            </Show>
          </>
        )}
      </Show>
    </section>
  )
}

interface AppRowProps {
  readonly hasApp: boolean
  readonly isBusy: boolean
  add(): void
  remove(): void
}

function AppRow(props: AppRowProps): JSX.Element {
  return (
    <div class="account-done">
      <span>{props.hasApp ? st('factors.hasApp') : st('factors.noApp')}</span>
      <Show
        when={props.hasApp}
        fallback={
          <button type="button" class="button" disabled={props.isBusy} onClick={() => props.add()}>
            {st('factors.addApp')}
          </button>
        }
      >
        <button type="button" class="button" disabled={props.isBusy} onClick={() => props.remove()}>
          {st('factors.removeApp')}
        </button>
      </Show>
    </div>
  )
}

function CodesRow(props: { left: number; isBusy: boolean; renew(): void }): JSX.Element {
  return (
    <div class="account-done">
      <span>
        {st('factors.codesLeft')} {props.left}
      </span>
      <button type="button" class="button" disabled={props.isBusy} onClick={() => props.renew()}>
        {st('factors.newCodes')}
      </button>
    </div>
  )
}
