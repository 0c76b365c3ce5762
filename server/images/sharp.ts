import sharp from 'sharp'

// Only these loaders of the library can run: never SVG, which may contain scripts and refer to other files.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map(name => `VipsForeignLoad${name}`),
})
// A worker's decoder works at one picture at a time; one thread for it leaves the other cores to workers and databases.
sharp.concurrency(1)
sharp.cache(false)

export { sharp }
