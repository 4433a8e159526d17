Feature: Frames

  These rules hold for every frame of every response. The scenarios here make a
  server send each kind of frame; the judge also looks at every other exchange.

  @helix.wire.json @must
  Rule: The data of an event is one JSON value

    Scenario: Chunks and an end
      Given a stream that holds events 1 to 3
      And the stream has ended
      When the client attaches
      Then the client receives exactly events 1 to 3
      And no exchange of this scenario breaks this rule

  @helix.wire.frame-type @must
  Rule: A frame is an object with a type

    Scenario: Chunks and a failure
      Given a stream that holds events 1 to 2
      And the stream has failed
      When the client attaches
      Then the client receives exactly events 1 to 2
      And no exchange of this scenario breaks this rule

  @helix.wire.single-data-line @should
  Rule: A frame stands on one line

    Scenario: A chunk whose text has line ends
      Given a stream that holds event 1
      And an attached client
      When the writer writes a text_delta chunk with {"delta":"one\ntwo\r\nthree"}
      Then the client receives the chunk unchanged
      And no exchange of this scenario breaks this rule

  @helix.wire.chunk-frame @must
  Rule: A chunk frame holds its chunk

    Scenario: Reading chunks
      Given a stream that holds events 1 to 3
      When the client attaches
      Then the client receives exactly events 1 to 3
      And no exchange of this scenario breaks this rule

  @helix.wire.end-frame @must
  Rule: What an end frame adds has its type

    Scenario: Reading an end
      Given a stream that holds event 1
      And an attached client
      When the stream ends
      Then the client receives the end frame
      And no exchange of this scenario breaks this rule

  @helix.wire.fail-frame @must
  Rule: A fail frame has an error text

    Scenario: Reading a failure
      Given a stream that holds event 1
      And an attached client
      When the stream fails
      Then the client receives the fail frame
      And no exchange of this scenario breaks this rule

  @helix.wire.status-frame @must @status
  Rule: A status frame says paused or active

    Scenario: Pausing and going on
      Given a stream that holds event 1
      And an attached client
      And the stream is made paused
      When the stream is made active
      Then nothing else reaches the client
      And no exchange of this scenario breaks this rule

  @helix.wire.truncated-frame @must @truncation
  Rule: A truncated frame names the step

    Scenario: Cleaning up under a reader
      Given a stream whose events are of steps 1, 2, 3
      And an attached client
      When the stream is cleaned up to step 1
      Then nothing but a truncated frame reaches the client
      And no exchange of this scenario breaks this rule

  @helix.wire.exclusive @must-not
  Rule: A frame carries no other frame's payload

    Scenario Outline: Chunks and a stream that <finishes>
      Given a stream that holds events 1 to 2
      And an attached client
      When the stream <finishes>
      Then the client receives the <frame> frame
      And no exchange of this scenario breaks this rule

      Examples:
        | finishes | frame |
        | ends     | end   |
        | fails    | fail  |

  @helix.wire.blank-line @must
  Rule: Every frame ends with a blank line

    Scenario Outline: The last frame of a stream that has <finished>
      Given a stream that holds events 1 to 2
      And the stream has <finished>
      When the client attaches
      Then the response of the client ends
      And no exchange of this scenario breaks this rule

      Examples:
        | finished |
        | ended    |
        | failed   |

  @helix.wire.chunk-id @must
  Rule: A chunk frame has its sequence as id

    Scenario: Replayed and live chunks
      Given a stream that holds events 1 to 3
      And an attached client
      When the writer writes events 4 to 5
      Then the client receives exactly events 4 to 5
      And no exchange of this scenario breaks this rule

    Scenario: The first chunk after a resume
      Given a stream that holds events 1 to 4
      When the client resumes after event 2
      Then the client receives exactly events 3 to 4
      And no exchange of this scenario breaks this rule

  @helix.wire.id-digits @must
  Rule: An id is a decimal number

    Scenario: Every id of a stream that ends
      Given a stream that holds events 1 to 11
      And the stream has ended
      When the client attaches
      Then the client receives exactly events 1 to 11
      And no exchange of this scenario breaks this rule

  @helix.wire.sequence @must
  Rule: The envelope repeats the id as sequence

    Scenario: Replayed and live sequences
      Given a stream that holds events 1 to 3
      And an attached client
      When the writer writes events 4 to 5
      Then the client receives exactly events 4 to 5
      And no exchange of this scenario breaks this rule

  @helix.wire.terminal-id @must
  Rule: The terminal frame has the highest id

    Scenario Outline: The terminal frame of a stream that has <finished>
      Given a stream that holds events 1 to 3
      And an attached client
      When the stream has <finished>
      Then the client receives the <frame> frame
      And no exchange of this scenario breaks this rule

      Examples:
        | finished | frame |
        | ended    | end   |
        | failed   | fail  |

  @helix.wire.terminal-id-next @should
  Rule: The id of the terminal frame follows the last sequence

    Scenario: The end of three events
      Given a stream that holds events 1 to 3
      And an attached client
      When the stream ends
      Then the client receives the end frame
      And no exchange of this scenario breaks this rule

  @helix.wire.unnamed @should
  Rule: Frames have no event name

    Scenario: Chunks and an end without names
      Given a stream that holds events 1 to 2
      And an attached client
      When the stream ends
      Then the client receives the end frame
      And no exchange of this scenario breaks this rule
