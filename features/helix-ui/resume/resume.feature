@resume
Feature: Reading an answer again

  @helix-ui.resume.ids @must
  Rule: Parts have ids

    Scenario: Ids of a text
      When a request with this script:
        """
        [{"text": "With ids."}]
        """
      Then the parts of the response have ids

    @mapping
    Scenario: Ids of events one after the other
      When a request with this script:
        """
        [{"chunk": {"type": "custom", "eventName": "one", "data": 1}}, {"chunk": {"type": "custom", "eventName": "two", "data": 2}}, {"chunk": {"type": "custom", "eventName": "three", "data": 3}}]
        """
      Then each of the parts data-one, data-two and data-three has an id of its own, or a part after it has

  @helix-ui.resume.ascending @must-not
  Rule: Ids don't go down

    Scenario: Ids of a text and a call
      When a request with this script:
        """
        [{"text": "Look."}, {"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}]
        """
      Then the response has the text "Look."
      And no exchange of this scenario breaks this rule

  @helix-ui.resume.message-id @must
  Rule: A message has an id

    Scenario: The id of a message
      When a request with this script:
        """
        [{"text": "Named."}]
        """
      Then the start of the response names the message

  @helix-ui.resume.same-message @must-not
  Rule: Both ends name one message

    Scenario: The id of a message at its end
      When a request with this script:
        """
        [{"text": "Still named."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "start"},
         {"type": "finish"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.resume.after @must
  Rule: A reader gets what it lacks

    Scenario: Every id of a text
      When a request with this script:
        """
        [{"text": "One two three."}]
        """
      Then a reader that comes back with any id of the response gets the rest, once

    Scenario: Every id of a turn with tools
      When a request with this script:
        """
        [{"thinking": "hm hm"}, {"text": "Look."}, {"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"text": "Sunny."}]
        """
      Then a reader that comes back with any id of the response gets the rest, once

    @no-transcript:a-hundred-readers-of-one-turn
    Scenario: Every id at every moment of a turn
      Given a request with this script:
        """
        [{"text": "One. "}, {"await": "a"}, {"thinking": "hm hm"}, {"await": "b"}, {"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"await": "c"}, {"text": "Two. "}, {"await": "d"}, {"tool": {"name": "weather", "arguments": {"city": "Oslo"}, "result": {"sky": "grey"}}}, {"await": "e"}, {"text": "Three."}, {"await": "f"}]
        """
      And a reader comes back with each id so far whenever the agent waits
      When the response is over
      Then each of these readers gets the rest, once

    @reasoning @no-transcript:dozens-of-readers-of-one-turn
    Scenario: Every id in the middle of a thought
      Given a request with this script:
        """
        [{"text": "One. "}, {"thinking": ["it is ", {"await": "a"}, "far ", {"await": "b"}, "away"]}, {"text": "Two."}]
        """
      And a reader comes back with each id so far whenever the agent waits
      When the response is over
      Then each of these readers gets the rest, once

    @no-transcript:dozens-of-readers-of-one-turn
    Scenario: Every id at every moment of a call
      Given a request with this script:
        """
        [{"text": "One. "}, {"part": {"type": "tool-input-start", "toolCallId": "call-1", "toolName": "weather"}}, {"text": "Two. "}, {"await": "a"}, {"part": {"type": "tool-input-delta", "toolCallId": "call-1", "inputTextDelta": "{\"city\":"}}, {"text": "Three. "}, {"await": "b"}, {"part": {"type": "tool-input-delta", "toolCallId": "call-1", "inputTextDelta": "\"Rome\"}"}}, {"part": {"type": "tool-input-available", "toolCallId": "call-1", "toolName": "weather", "input": {"city": "Rome"}}}, {"text": "Four. "}, {"await": "c"}, {"part": {"type": "tool-output-available", "toolCallId": "call-1", "output": {"sky": "sunny"}}}, {"await": "d"}, {"text": "Five."}]
        """
      And a reader comes back with each id so far whenever the agent waits
      When the response is over
      Then each of these readers gets the rest, once

  @helix-ui.resume.goes-on @must
  Rule: A turn goes on without its reader

    Scenario: A reader that was cut in a text
      Given a request with this script:
        """
        [{"text": "One. "}, {"await": "b"}, {"text": "Two."}]
        """
      And the response has the text "One. " so far
      And the reader leaves
      And the agent passes "b"
      When the reader comes back with the latest id
      Then the reader gets the rest of the text, "Two."

    Scenario: A reader that comes back before the rest is said
      Given a request with this script:
        """
        [{"text": "One. "}, {"await": "b"}, {"text": "Two."}]
        """
      And the response has the text "One. " so far
      And the reader leaves
      And the reader comes back with the latest id
      When the agent passes "b"
      Then the reader gets the rest of the text, "Two."

    @no-transcript:everything-else-runs-meanwhile
    Scenario: A reader that comes back last of all
      Given a request with this script:
        """
        [{"text": "One. "}, {"await": "b"}, {"text": "Two."}]
        """
      And the response has the text "One. " so far
      And the reader leaves
      And every other scenario of the run has ended
      And the agent passes "b"
      When the reader comes back with the latest id
      Then the reader gets the rest of the text, "Two."

  @helix-ui.resume.nothing @must
  Rule: What is over isn't sent again

    Scenario: A refresh after a turn
      Given a request with this script:
        """
        [{"text": "Over."}]
        """
      And the response has been read
      When the page is refreshed
      Then there is nothing to read

    Scenario: A reader that has everything
      Given a request with this script:
        """
        [{"text": "Over and out."}]
        """
      And the response has been read
      When the reader comes back with the latest id
      Then there is nothing to read

    Scenario: A refresh after a turn that was read again
      Given a request with this script:
        """
        [{"text": "One. "}, {"await": "b"}, {"text": "Over."}]
        """
      And the response has the text "One. " so far
      And the page is refreshed
      And the agent passes "b"
      And the response has been read
      When the page is refreshed
      Then there is nothing to read

  @helix-ui.resume.unknown @should
  Rule: There is nothing to read in a chat that never was

    Scenario: A page without a chat
      When the page of a chat that never was is loaded
      Then there is nothing to read

    Scenario: A page without a chat beside one that is read
      Given a request with this script:
        """
        [{"text": "One. "}, {"await": "b"}, {"text": "Two."}]
        """
      And the response has the text "One. " so far
      And the page is refreshed
      When the page of a chat that never was is loaded
      Then there is nothing to read

  @helix-ui.resume.bad-cursor @should
  Rule: What is no id is refused

    Scenario: A reader with another id
      Given a request with this script:
        """
        [{"text": "One. "}, {"await": "b"}, {"text": "Two."}]
        """
      And the response has the text "One. " so far
      When a reader comes back with the id "never-sent"
      Then the request is refused
