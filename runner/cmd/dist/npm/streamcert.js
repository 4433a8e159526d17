#!/usr/bin/env node
'use strict';
// Starts the binary of this platform, and ends as it ends.

const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const { version, optionalDependencies } = require('../package.json');

function fail(text) {
  console.error(`streamcert: ${text}`);
  process.exit(2);
}

function binary() {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@streamcert/${platform}`;
  if (!(name in optionalDependencies)) {
    fail(`there is no package for ${platform}: build it by \`go install github.com/streamcert/streamcert/runner/cmd/streamcert@v${version}\`, or see the archives of https://github.com/streamcert/streamcert/releases/tag/v${version}`);
  }
  try {
    return require.resolve(`${name}/bin/streamcert${process.platform === 'win32' ? '.exe' : ''}`);
  } catch {
    return fail(`${name} is not installed: install it by \`npm install ${name}@${version}\`, or everything again without --omit=optional; the archives of https://github.com/streamcert/streamcert/releases/tag/v${version} need no npm`);
  }
}

const file = binary();
const child = spawn(file, process.argv.slice(2), { stdio: 'inherit' });

// A second signal ends the program without a report. A terminal sends Ctrl-C, and its own end, to the child too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal);
  });
}

child.on('error', (error) => fail(`starting ${file}: ${error.message}`));
child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
