Feature: How a stream ends

  @helix.lifecycle.end @must
  Rule: The end reaches readers that wait

    Scenario: Ending while a reader waits
      Given a stream that holds events 1 to 2
      And an attached client
      When the stream ends
      Then the client receives the end frame

    Scenario: Ending while three readers wait
      Given a stream that holds events 1 to 2
      And attached clients "A", "B", "C"
      When the stream ends
      Then every client receives the end frame

    Scenario Outline: Ending under a client that <came>
      Given a stream whose events are of steps 1, 2, 1
      And a client that <came>
      And the client reads along
      When the stream ends
      Then the client receives the end frame

      Examples:
        | came                        |
        | came fourth                 |
        | resumed by header           |
        | resumed by query            |
        | resumed at the latest event |
        | resumed at a removed event  |
        | came during a pause         |
        | stayed during a cleanup     |
        | stayed during a reset       |

    @status
    Scenario: Ending under a client that came during the pause
      Given a stream that holds events 1 to 2
      And the stream is made paused
      And an attached client
      When the stream ends
      Then the client receives the end frame

    @resume @no-transcript:waiting-and-refusing-are-both-right
    Scenario: Ending under a client that is ahead of the stream
      Given a stream that holds events 1 to 3
      And a client that resumed beyond the latest event
      When the stream ends
      Then the client receives the end frame

  @helix.lifecycle.final-output @must
  Rule: A final output is the one that was given

    Scenario Outline: Ending with the output <output>
      Given a stream that holds event 1
      And an attached client
      When the stream ends with the output <output>
      Then the client receives the end frame with the final output <output>, if any

      Examples:
        | output                      |
        | {"answer":42,"notes":[null]} |
        | "done"                      |
        | 0                           |
        | [false]                     |

  @helix.lifecycle.fail @must
  Rule: A failure says what broke

    Scenario Outline: Failing with <text>
      Given a stream that holds event 1
      And an attached client
      When the stream fails with the error <text>
      Then the client receives the fail frame with the error <text>

      Examples:
        | text                     |
        | "the provider is down"   |
        | "café, 日本 and \"quotes\"" |

    Scenario Outline: Failing under a client that <came>
      Given a stream whose events are of steps 1, 2, 1
      And a client that <came>
      And the client reads along
      When the stream fails with the error "it broke"
      Then the client receives the fail frame with the error "it broke"

      Examples:
        | came                        |
        | came fourth                 |
        | resumed by header           |
        | resumed by query            |
        | resumed at the latest event |
        | resumed at a removed event  |
        | came during a pause         |
        | stayed during a cleanup     |
        | stayed during a reset       |

    @status
    Scenario: Failing under a client that came during the pause
      Given a stream that holds events 1 to 2
      And the stream is made paused
      And an attached client
      When the stream fails
      Then the client receives the fail frame

    @resume @no-transcript:waiting-and-refusing-are-both-right
    Scenario: Failing under a client that is ahead of the stream
      Given a stream that holds events 1 to 3
      And a client that resumed beyond the latest event
      When the stream fails
      Then the client receives the fail frame

  @helix.lifecycle.terminal-last-chunks @must
  Rule: The last chunks come before the end

    Scenario: Ending right after a burst
      Given a stream that holds event 1
      And an attached client
      And the writer writes events 2 to 30 in one call
      When the stream ends
      Then the client receives events 2 to 30
      And the client receives the end frame

    Scenario: Failing right after a chunk
      Given a stream that holds event 1
      And an attached client
      And the writer writes event 2
      When the stream fails
      Then the client receives event 2
      And the client receives the fail frame

    Scenario: Reading after the end
      Given a stream that holds events 1 to 3
      And the stream has ended
      When the client attaches
      Then the client receives exactly events 1 to 3

  @helix.lifecycle.one-terminal @must
  Rule: There is one terminal frame and nothing after it

    Scenario Outline: A reader at the end of a stream that has <finished>
      Given a stream that holds event 1
      And an attached client
      And the stream has <finished>
      When the stream is <finished> again
      Then the client receives the <frame> frame
      And the response of the client ends
      And no exchange of this scenario breaks this rule

      Examples:
        | finished | frame |
        | ended    | end   |
        | failed   | fail  |

  @helix.lifecycle.body-closes @must
  Rule: The response ends after the terminal frame

    Scenario Outline: A reader that waits when the stream <finishes>
      Given a stream that holds event 1
      And an attached client
      When the stream <finishes>
      Then the client receives the <frame> frame
      And the response of the client ends

      Examples:
        | finishes | frame |
        | ends     | end   |
        | fails    | fail  |

    Scenario: A reader that comes after the end
      Given a stream that holds event 1
      And the stream has ended
      When the client attaches
      Then the client receives exactly event 1
      And the response of the client ends

  @helix.lifecycle.no-chunk-after-end @must-not
  Rule: Nothing is added to a finished stream

    Scenario Outline: Writing after the stream has <finished>
      Given a stream that holds events 1 to 2
      And the stream has <finished>
      When the writer tries to write
      Then a fresh client receives exactly events 1 to 2

      Examples:
        | finished |
        | ended    |
        | failed   |

  @helix.lifecycle.write-after-end @must
  Rule: A write to a finished stream is refused

    Scenario Outline: Writing to a stream that has <finished>
      Given a stream that holds event 1
      And the stream has <finished>
      When the writer tries to write
      Then the write is refused

      Examples:
        | finished |
        | ended    |
        | failed   |

  @helix.lifecycle.first-terminal-wins @must
  Rule: The first terminal call decides

    Scenario Outline: A stream that has <first> is <second> again
      Given a stream that holds event 1
      And the stream has <first>
      And the stream is <second> again
      When the client attaches
      Then the client receives event 1
      And the client receives the <frame> frame

      Examples:
        | first  | second | frame |
        | ended  | failed | end   |
        | failed | ended  | fail  |

  @helix.lifecycle.no-sentinel @must-not
  Rule: The in-process end marker stays in the process

    Scenario Outline: A stream that <finishes>
      Given a stream that holds event 1
      And an attached client
      When the stream <finishes>
      Then the client receives the <frame> frame
      And no exchange of this scenario breaks this rule

      Examples:
        | finishes | frame |
        | ends     | end   |
        | fails    | fail  |

  @helix.lifecycle.empty-stream @must
  Rule: A stream without chunks can end

    Scenario Outline: An empty stream that <finishes> while a reader waits
      Given a new stream
      And an attached client
      When the stream <finishes>
      Then the client receives the <frame> frame

      Examples:
        | finishes | frame |
        | ends     | end   |
        | fails    | fail  |

    Scenario: Reading an empty stream that has ended
      Given a new stream
      And the stream has ended
      When the client attaches
      Then the client receives the end frame
