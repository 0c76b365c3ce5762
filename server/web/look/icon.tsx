import type { JSX } from 'solid-js'

/** SVG paths: strokes on a grid of 20 units. */
const drawings = {
  all: 'M3 5h14M3 10h14M3 15h9',
  mention: 'M13 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0zm0 0v1a2 2 0 0 0 4 0v-1a7 7 0 1 0-3 5.7',
  star: 'm10 3 2.1 4.3 4.7.7-3.4 3.3.8 4.7-4.2-2.2L5.8 16l.8-4.7L3.2 8l4.7-.7z',
  lock: 'M5.5 9h9v7.5h-9zM7.5 9V6.5a2.5 2.5 0 0 1 5 0V9',
  globe: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0zM3 10h14M10 3c4 4.5 4 9.5 0 14-4-4.5-4-9.5 0-14z',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zm4-1.5 4 4',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  clip: 'm15.5 9.5-5.6 5.6a3.2 3.2 0 0 1-4.5-4.5l6-6a2.1 2.1 0 0 1 3 3l-6 6a1 1 0 0 1-1.5-1.5l5.4-5.4',
  close: 'm5 5 10 10M15 5 5 15',
  back: 'm12 4-6 6 6 6',
  forth: 'm8 4 6 6-6 6',
  info: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0zM10 9v4.5M10 6.5v.1',
  send: 'm3 10 14-6.5L11.5 17l-2-5.5z',
  smile: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0zM7 12c1.5 2.2 4.5 2.2 6 0M7.5 8v.1M12.5 8v.1',
  edit: 'M4 16l.8-3.4 8.7-8.7 2.6 2.6-8.7 8.7z',
  trash: 'M4 5.5h12M8 5.5V4h4v1.5M5.5 5.5l.7 11h7.6l.7-11',
  eye: 'M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5zM12 10a2 2 0 1 1-4 0 2 2 0 0 1 4 0z',
  unread: 'M17 8v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2h7M3 7l7 5 3-2M18 4a2 2 0 1 1-4 0 2 2 0 0 1 4 0z',
  check: 'm4 10.5 4 4 8-9',
  down: 'M10 4v11m-5-5 5 5 5-5',
  up: 'M10 16V5m-5 5 5-5 5 5',
  sun: 'M13 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM10 2.5v1.5M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 1M4.7 15.3l1-1M14.3 5.7l1-1',
  moon: 'M16 12.2A6.5 6.5 0 0 1 7.8 4a6.5 6.5 0 1 0 8.2 8.2z',
  screen: 'M3 4.5h14v9H3zM7 16.5h6',
  keys: 'M2.5 5.5h15v9h-15zM5.5 8.5v.1M8.5 8.5v.1M11.5 8.5v.1M14.5 8.5v.1M6.5 11.5h7',
  out: 'M8 4H4v12h4M8 10h9m-3-3 3 3-3 3',
  sliders: 'M3 6h8M15 6h2M3 14h2M9 14h8M11 6a2 2 0 1 0 4 0 2 2 0 0 0-4 0zM5 14a2 2 0 1 0 4 0 2 2 0 0 0-4 0z',
  bell: 'M5 8.5a5 5 0 0 1 10 0c0 4 1.5 5 1.5 5h-13S5 12.5 5 8.5zM8.5 16.5h3',
  muted: 'M5 8.5a5 5 0 0 1 10 0c0 4 1.5 5 1.5 5h-13S5 12.5 5 8.5zM3 3l14 14',
  pin: 'm7 3.5 6 0-.8 4.5 2.3 2.5H5.5L7.8 8zM10 10.5V17',
  bold: 'M6.5 4H11a3 3 0 0 1 0 6H6.5zm0 6H12a3 3 0 0 1 0 6H6.5z',
  italic: 'M9 4h6M5 16h6M12 4 8 16',
  strike:
    'M3 10h14M14 6.5C13.3 4.8 11.8 4 10 4 7.7 4 6 5.2 6 7c0 1.2.8 2.2 2 3M6 13.5C6.7 15.2 8.2 16 10 16c2.3 0 4-1.2 4-3 0-1.2-.8-2.2-2-3',
  link: 'M8.5 11.5a3 3 0 0 0 4.3 0l2.9-2.9a3 3 0 0 0-4.3-4.3l-1 1M11.5 8.5a3 3 0 0 0-4.3 0l-2.9 2.9a3 3 0 0 0 4.3 4.3l1-1',
  code: 'm7 6-4 4 4 4M13 6l4 4-4 4',
  list: 'M8 5h9M8 10h9M8 15h9M4 5h.01M4 10h.01M4 15h.01',
  numbers: 'M9 5h8M9 10h8M9 15h8M3.5 3.5 5 3v4M3.5 13a1.2 1.2 0 1 1 2 1L3.5 17H6',
  format: 'M3 15 7.5 4 12 15M4.5 11.5h6M17 9.5v5.5M17 12.2a2 2 0 1 1-4 0 2 2 0 0 1 4 0z',
  snippet: 'M5 3h7l3 3v11H5zM12 3v3h3M8 10h4M8 13h4',
  quote: 'M4 13c0-4 1-6 4-7M4 13h3.5V9.5H4M11.5 13c0-4 1-6 4-7M11.5 13H15V9.5h-3.5',
  more: 'M5 10h.01M10 10h.01M15 10h.01',
  people:
    'M10 7a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM3 16c0-3 2-4.5 4.5-4.5s4.5 1.5 4.5 4.5M12.5 4.7a2.5 2.5 0 0 1 0 4.6M14 11.7c2 .5 3 2 3 4.3',
  copy: 'M7.5 7.5h8v9h-8zM12.5 7.5v-4h-8v9h3',
  forward: 'm11 4.5 5.5 5-5.5 5v-3c-4 0-6.5 1-8 4 .5-5 3.5-8 8-8z',
  inbox: 'M3.5 11 5.5 4.5h9l2 6.5v4.5h-13zM3.5 11h4c0 3 5 3 5 0h4',
  clock: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0zM10 6v4l2.5 2',
  topic: 'M4 5h12v8H9l-3.5 3v-3H4z',
  move: 'M3 5h5l1.5 2H17v9H3zM7 11.5h6m-2.5-2.5 2.5 2.5-2.5 2.5',
  flag: 'M5 17V4c3-1.5 6 1.5 10 0v7c-4 1.5-7-1.5-10 0',
  follow: 'M6 3.5h8v13l-4-3-4 3z',
  draft: 'M15 9V6l-3-3H5v14h4M12 3v3h3M12 17h.01M15 17h.01M15 13h.01',
  picture: 'M3 4.5h14v11H3zM3 13.5l4-4 3.5 3.5 2-2 4.5 4M13 7.5v.1',
  server: 'M3.5 4h13v5h-13zM3.5 11h13v5h-13zM6.5 6.5v.1M6.5 13.5v.1',
  columns: 'M3 4.5h14v11H3zM10 4.5v11',
  building: 'M4.5 17V3.5h8V17M12.5 8H16v9M3 17h14M7.5 7v.1M9.5 7v.1M7.5 10v.1M9.5 10v.1M7.5 13v.1M9.5 13v.1',
} as const

export type IconName = keyof typeof drawings

/** Drawings with a direction, mirrored where texts run from right to left. */
const turning: ReadonlySet<IconName> = new Set(['back', 'forth', 'forward', 'list', 'move', 'out', 'quote', 'send'])

export function Icon(props: { name: IconName; size?: number }): JSX.Element {
  return (
    <svg
      class="icon"
      classList={{ turns: turning.has(props.name) }}
      width={props.size ?? 18}
      height={props.size ?? 18}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={drawings[props.name]} />
    </svg>
  )
}
