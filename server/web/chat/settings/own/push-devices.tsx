import { createResource, For, type JSX, Show } from 'solid-js'
import { locale } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { useChat } from '../../chat.js'
import { arePushesPossible, endpointHash, ownSubscription, subscribe } from './push-subscription.js'

/** As `GET /users/me/push_devices` lists it; times in UNIX seconds. */
interface Device {
  readonly id: number
  readonly name: string
  readonly endpoint_hash: string
  readonly created: number
  readonly failing_since: number | null
}

const place = '/users/me/push_devices'

/** The devices that get notifications while no page is open: the list, a test, and this browser. */
export function PushDevices(): JSX.Element {
  const chat = useChat()
  const { error, isBusy, attempt } = createAttempts()
  const [known, { refetch }] = createResource(async () => {
    const { public_key, devices } = await chat.ask('GET', place)
    const own = await ownSubscription()
    const hash = own && (await endpointHash(own.endpoint))
    // The casts: the operation is not among the typed ones of the page.
    return { key: public_key as string | null, devices: devices as unknown as readonly Device[], hash }
  })
  const change = (work: () => Promise<unknown>) => {
    if (!isBusy())
      void attempt(async () => {
        await work()
        await refetch()
      })
  }
  const enable = (key: string) =>
    change(async () => {
      const device = await subscribe(key)
      if (!device) throw new Error(st('push.denied'))
      await chat.ask('POST', place, device)
    })
  const remove = ({ id, endpoint_hash }: Device) =>
    change(async () => {
      await chat.ask('DELETE', `${place}/${id}`)
      if (endpoint_hash === known.latest?.hash) await (await ownSubscription())?.unsubscribe()
    })
  const isHere = () => known.latest?.devices.some(device => device.endpoint_hash === known.latest?.hash) ?? false
  const stateOf = (device: Device) => {
    if (device.failing_since !== null) return st('push.failing')
    return device.endpoint_hash === known.latest?.hash ? st('push.thisOne') : ''
  }
  return (
    <Show
      when={!known.error && known.latest}
      fallback={<ErrorNotice text={(known.error as Error | undefined)?.message} />}
    >
      {loaded => (
        <Show when={loaded().key} fallback={<p class="quiet">{st('push.off')}</p>}>
          {key => (
            <>
              <p class="quiet">{st('push.meaning')}</p>
              <ul class="account-sessions">
                <For each={loaded().devices}>
                  {device => (
                    <li>
                      <span>{device.name}</span>
                      <span class="quiet">
                        {new Date(device.created * 1000).toLocaleDateString(locale())} {stateOf(device)}
                      </span>
                      <button
                        type="button"
                        class="button"
                        disabled={isBusy()}
                        onClick={() => change(() => chat.ask('POST', `${place}/${device.id}/test`))}
                      >
                        {st('push.test')}
                      </button>
                      <button type="button" class="button" disabled={isBusy()} onClick={() => remove(device)}>
                        {st('push.remove')}
                      </button>
                    </li>
                  )}
                </For>
              </ul>
              <Show when={!isHere()}>
                <p>
                  <Show when={arePushesPossible()} fallback={<span class="quiet">{st('push.impossible')}</span>}>
                    <button type="button" class="button" disabled={isBusy()} onClick={() => enable(key())}>
                      {st('push.enable')}
                    </button>
                  </Show>
                </p>
              </Show>
              <ErrorNotice text={error()} />
            </>
          )}
        </Show>
      )}
    </Show>
  )
}
