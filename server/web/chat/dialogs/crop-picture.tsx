import { createMemo, createSignal, type JSX, onMount } from 'solid-js'
import { t } from '../../language/language.js'
import { cropOf, roomToMove } from '../../state/zoom.js'
import { createZooming } from './zooming.js'
import './crop-picture.css'

export interface ChosenPicture {
  readonly file: File
  readonly bitmap: ImageBitmap
}

interface CropPictureProps {
  readonly picture: ChosenPicture
  take(file: File): void
  close(): void
}

// The largest size in which a picture is shown, on a screen with many pixels.
const mostPixels = 512
const mostScale = 8
const quality = 0.92

/** Lets the user choose a square of a picture: by moving and enlarging it in a frame, or by three sliders. */
export function CropPicture(props: CropPictureProps): JSX.Element {
  let frame!: HTMLDivElement
  let canvas!: HTMLCanvasElement
  const [isShown, setShown] = createSignal(false)
  const { bitmap } = props.picture
  const zooming = createZooming(
    () => frame,
    () => canvas,
  )
  const { zoom } = zooming
  const room = () => ({
    frame: { width: frame.clientWidth, height: frame.clientHeight },
    fitted: { width: canvas.offsetWidth, height: canvas.offsetHeight },
  })
  onMount(() => {
    canvas.width = bitmap.width
    canvas.height = bitmap.height
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
    setShown(true)
    canvas.scrollIntoView({ block: 'nearest' })
  })
  const most = createMemo(() => (isShown() ? roomToMove(zoom().scale, room()) : { x: 0, y: 0 }))
  const take = async () => {
    const { x, y, side } = cropOf(zoom(), room(), bitmap)
    const pixels = Math.max(1, Math.min(mostPixels, Math.round(side)))
    const square = document.createElement('canvas')
    square.width = pixels
    square.height = pixels
    square.getContext('2d')?.drawImage(canvas, x, y, side, side, 0, 0, pixels, pixels)
    const blob = await new Promise<Blob | null>(done => square.toBlob(done, 'image/webp', quality))
    props.take(blob ? new File([blob], 'picture', { type: blob.type }) : props.picture.file)
  }
  return (
    <fieldset class="crop">
      <legend>{t('pictures.crop')}</legend>
      <div
        class="crop-frame"
        ref={frame}
        onWheel={zooming.wheel}
        onPointerDown={zooming.pointerDown}
        onPointerMove={zooming.pointerMove}
        onPointerUp={zooming.pointerUp}
        onPointerCancel={zooming.pointerUp}
      >
        <canvas
          ref={canvas}
          style={{
            width: `${Math.max(1, bitmap.width / bitmap.height) * 100}%`,
            'aspect-ratio': `${bitmap.width} / ${bitmap.height}`,
            transform: `translate(${zoom().x}px, ${zoom().y}px) scale(${zoom().scale})`,
          }}
        />
      </div>
      <div class="crop-sliders">
        <Slider
          title={t('pictures.size')}
          least={1}
          most={mostScale}
          value={zoom().scale}
          move={scale => zooming.by(scale / zoom().scale)}
        />
        <Slider
          title={t('pictures.across')}
          least={-most().x}
          most={most().x}
          value={-zoom().x}
          move={x => zooming.pan(-x - zoom().x, 0)}
        />
        <Slider
          title={t('pictures.down')}
          least={-most().y}
          most={most().y}
          value={-zoom().y}
          move={y => zooming.pan(0, -y - zoom().y)}
        />
      </div>
      <p class="crop-ways">
        <button type="button" class="button primary" onClick={() => void take()}>
          {t('pictures.takePart')}
        </button>
        <button type="button" class="button" onClick={() => props.take(props.picture.file)}>
          {t('pictures.takeWhole')}
        </button>
        <button type="button" class="button" onClick={props.close}>
          {t('words.cancel')}
        </button>
      </p>
    </fieldset>
  )
}

interface SliderProps {
  readonly title: string
  readonly least: number
  readonly most: number
  readonly value: number
  move(value: number): void
}

function Slider(props: SliderProps): JSX.Element {
  return (
    <label>
      <span>{props.title}</span>
      <input
        type="range"
        min={props.least}
        max={props.most}
        step={(props.most - props.least) / 50 || 1}
        disabled={props.most <= props.least}
        value={props.value}
        onInput={event => props.move(event.currentTarget.valueAsNumber)}
      />
    </label>
  )
}
