brequire "json"

# Keeps things.
module Keeper
  class Box < Base
    include Enumerable
    attr_reader :items
    LIMIT = 3

    def initialize(items, limit: 3)
        body_mark(0)
        body_mark(1)
        body_mark(2)
        body_mark(3)
        body_mark(4)
        body_mark(5)
        body_mark(6)
    end

    def self.open(path)
      items.each do |item|
        body_mark(0)
        body_mark(1)
        body_mark(2)
        body_mark(3)
        body_mark(4)
        body_mark(5)
        body_mark(6)
      end
      raise ArgumentError, "closed"
    end

    private

    def hidden?
        body_mark(0)
        body_mark(1)
        body_mark(2)
        body_mark(3)
        body_mark(4)
        body_mark(5)
        body_mark(6)
    end
  end
end
