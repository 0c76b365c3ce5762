import { createEffect, createMemo, type JSX, on, Show } from 'solid-js'
import { placeOf } from '../../../../shared/resources/place.js'
import { numberText } from '../../language/format.js'
import { t } from '../../language/language.js'
import { inlineStep } from '../../language/page-language.js'
import { IconButton } from '../../look/icon-button.js'
import { listen } from '../../look/listen.js'
import { addressOf } from '../../state/narrow.js'
import { useChat } from '../chat.js'
import { type Picture, picturesOf } from '../feed/pictures.js'
import { loadNewer, loadOlder } from '../history.js'
import { dateText } from '../moment-text.js'
import { nameOf, placeName } from '../names.js'
import { type About, useView } from '../view.js'
import { Dialog } from './dialog.js'
import { createZooming } from './zooming.js'
import './picture-viewer.css'

// So many pages of history a step looks for a picture.
const mostPages = 10
const keyFactor = 1.5
const keyPixels = 80

/** A row of pictures, one of which is shown. */
export interface PictureWalk {
  readonly at: () => number
  readonly picture: () => Picture | undefined
  readonly count: () => number
  /** Whether there is no picture after the shown one, or with -1 before it. */
  isEnd(by: 1 | -1): boolean
  step(by: 1 | -1): Promise<void>
}

/** A picture of the open view. */
export function PictureViewer(props: About<'picture'>): JSX.Element {
  const view = useView()
  return <Viewer walk={useWalk(() => props.about)} close={() => view.open(undefined)} />
}

/** A picture in the whole window: wheel, keys and fingers enlarge and move it, and lead to the pictures beside it. */
export function Viewer({ walk, close }: { walk: PictureWalk; close(): void }): JSX.Element {
  let frame!: HTMLDivElement
  let image!: HTMLImageElement
  const zooming = createZooming(
    () => frame,
    () => image,
    by => void walk.step(by),
  )
  const { zoom } = zooming
  createEffect(on(() => walk.picture()?.original, zooming.reset))
  const larger = () => zooming.by(keyFactor)
  const smaller = () => zooming.by(1 / keyFactor)
  const acts: Readonly<Record<string, () => void>> = {
    '+': larger,
    '=': larger,
    '-': smaller,
    0: zooming.reset,
    ArrowUp: () => zooming.pan(0, keyPixels),
    ArrowDown: () => zooming.pan(0, -keyPixels),
  }
  listen(window, 'keydown', event => {
    // These belong to the browser: its own zoom, and back by Alt with an arrow.
    if (event.ctrlKey || event.metaKey || event.altKey) return
    acts[event.key]?.()
    const step = inlineStep(event)
    if (step && zoom().scale > 1) zooming.pan(event.key === 'ArrowLeft' ? keyPixels : -keyPixels, 0)
    else if (step) void walk.step(step)
  })
  return (
    <Show when={walk.picture()}>
      {picture => (
        <Dialog title={picture().name} class="viewer-window" close={close}>
          <Origin picture={picture()} />
          {/* biome-ignore lint/a11y/noStaticElementInteractions: keys and the buttons below do the same */}
          <div
            class="viewer"
            classList={{ large: zoom().scale > 1 }}
            ref={frame}
            onWheel={zooming.wheel}
            onDblClick={zooming.doubleClick}
            onPointerDown={zooming.pointerDown}
            onPointerMove={zooming.pointerMove}
            onPointerUp={zooming.pointerUp}
            onPointerCancel={zooming.pointerUp}
          >
            <img
              src={picture().shown}
              alt={picture().name}
              draggable={false}
              ref={image}
              style={{ transform: `translate(${zoom().x}px, ${zoom().y}px) scale(${zoom().scale})` }}
            />
          </div>
          <p class="viewer-tools">
            <IconButton icon="minus" label={t('pictures.smaller')} isDisabled={zoom().scale === 1} work={smaller} />
            <IconButton icon="plus" label={t('pictures.larger')} work={larger} />
            <IconButton
              icon="back"
              label={t('pictures.before')}
              isDisabled={walk.isEnd(-1)}
              work={() => walk.step(-1)}
            />
            <span class="viewer-place" aria-live="polite">
              {t('pictures.place', numberText(walk.at() + 1), walk.count())}
            </span>
            <IconButton icon="forth" label={t('pictures.next')} isDisabled={walk.isEnd(1)} work={() => walk.step(1)} />
            <a
              class="button"
              href={picture().original.replace('/user_uploads/', '/user_uploads/download/')}
              download=""
            >
              {t('pictures.download')}
            </a>
          </p>
        </Dialog>
      )}
    </Show>
  )
}

/** Who sent the picture, where and when. */
function Origin(props: { picture: Picture }): JSX.Element {
  const chat = useChat()
  const message = () => props.picture.message
  return (
    <p class="viewer-origin quiet">
      <bdi>{nameOf(chat.state, message().sender_id)}</bdi>
      <bdi>{placeName(chat.state, placeOf(message(), chat.state.user_id))}</bdi>
      <span>{dateText(chat.state, message().timestamp * 1000)}</span>
      <Show when={props.picture.isHuge}>
        <span>{t('pictures.huge')}</span>
      </Show>
    </p>
  )
}

/** The pictures of the open view, from one to the next; history that the page does not know yet is fetched on the way. */
function useWalk(about: () => About<'picture'>['about']): PictureWalk {
  const chat = useChat()
  const view = useView()
  const narrow = view.narrow()
  const feed = () => narrow && chat.state.feeds[addressOf(narrow)]
  const all = createMemo(() =>
    picturesOf(
      chat,
      (feed()?.ids ?? []).flatMap(id => chat.state.messages[id] ?? []),
    ),
  )
  const at = createMemo(() => {
    const { messageId, index } = about().picture
    return all().findIndex(one => one.messageId === messageId && one.index === index)
  })
  const isWhole = (by: 1 | -1) => (by < 0 ? feed()?.foundOldest : feed()?.foundNewest) !== false
  const next = (by: 1 | -1): Picture | undefined => (at() < 0 ? undefined : all()[at() + by])
  // Its message was deleted, or is no longer of this view.
  createEffect(() => at() < 0 && view.open(undefined))
  return {
    at,
    picture: () => all()[at()],
    count: () => all().length,
    isEnd: (by: 1 | -1) => !next(by) && isWhole(by),
    async step(by: 1 | -1) {
      for (let pages = 0; narrow && !next(by) && !isWhole(by) && !feed()?.error && pages < mostPages; pages++)
        await (by < 0 ? loadOlder : loadNewer)(chat, narrow)
      const found = next(by)
      if (found && view.dialog() === about()) view.open({ picture: { messageId: found.messageId, index: found.index } })
    },
  }
}
